// Tables sort by a click on a column's head: numbers by value, "not determined" always last.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const number = head.classList.contains("n");
    const first = number ? "descending" : "ascending";
    const second = number ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? second : first;
    const turn = order === "ascending" ? 1 : -1;
    const key = (row) => row.cells[column].dataset.k ?? row.cells[column].textContent;
    const compare = (a, b) => {
      const x = key(a), y = key(b);
      if (x === "" || y === "") return (x === "") - (y === "");
      return turn * (number ? x - y : x.localeCompare(y, undefined, { numeric: true }));
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort(compare));
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
  }));
}
