"use strict";
(function () {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const done = () => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      };
      const select = () => getSelection().selectAllChildren(button.previousElementSibling);
      if (navigator.clipboard) {
        navigator.clipboard.writeText(button.dataset.copy).then(done, select);
      } else {
        select();
      }
    });
  }

  const inspect = document.querySelector(".inspect");
  const matrix = document.querySelector("table.matrix");
  const show = (event) => {
    const cell = event.target.closest("[title], td");
    if (cell && cell.title) {
      inspect.textContent = cell.title;
      inspect.hidden = false;
    }
  };
  matrix.addEventListener("focusin", show);
  matrix.addEventListener("click", show);

  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    unfolded.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => unfolded.forEach((details) => (details.open = false)));
})();
