"use strict";
// What the browser would say of a point after a while is said at once, and of the nearest point.
(() => {
  const tip = document.body.appendChild(document.createElement("div"));
  tip.className = "tip";
  let lit = null;
  const clear = () => {
    tip.style.display = "none";
    if (lit) lit.classList.remove("on");
    lit = null;
  };
  const show = (text, event) => {
    tip.textContent = text;
    tip.style.display = "block";
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 6);
    const above = event.clientY - tip.offsetHeight - 12;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = (above > 4 ? above : event.clientY + 18) + "px";
  };
  for (const svg of document.querySelectorAll("svg")) {
    const said = new Map();
    for (const title of [...svg.querySelectorAll("title")]) {
      said.set(title.parentNode, title.textContent);
      title.remove();
    }
    const points = [...svg.querySelectorAll("circle.p")];
    svg.addEventListener("pointermove", (event) => {
      clear();
      const over = event.target.closest("path, circle, g.box");
      const group = event.target.closest("g.box");
      const own = said.get(group || over);
      if (own && !over.classList.contains("p") && (group || over.matches(".t, .dot, .mark"))) return show(own, event);
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let nearest = 40 * 40;
      for (const point of points) {
        const x = point.cx.baseVal.value - at.x, y = point.cy.baseVal.value - at.y;
        if (x * x + y * y < nearest) {
          nearest = x * x + y * y;
          lit = point;
        }
      }
      if (!lit) return;
      lit.classList.add("on");
      show(said.get(lit), event);
    });
    svg.addEventListener("pointerleave", clear);
  }
  addEventListener("scroll", clear, { passive: true });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
})();
