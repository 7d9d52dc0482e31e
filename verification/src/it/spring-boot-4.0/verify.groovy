return evaluate(new File(basedir, "../../../src/it/verify.groovy"))
