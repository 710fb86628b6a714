// The picture as large as the screen, for a talk: one key, and Escape or the same key ends it.
import { $ } from "./elements.js";

export function startPresenting(redraw) {
  const present = (on) => {
    if (on === document.body.classList.contains("presenting") || (on && $("explore-picture").hidden)) return;
    document.body.classList.toggle("presenting", on);
    $("explore-present").setAttribute("aria-pressed", String(on));
    redraw();
    $(on ? "explore-picture" : "explore-present").focus({ preventScroll: true });
  };
  $("explore-present").addEventListener("click", () => present(!document.body.classList.contains("presenting")));
  // before the picture has the key, whose Escape would clear what is read
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea"), on = document.body.classList.contains("presenting");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key.toLowerCase() === "p") present(!on);
    else if (event.key === "Escape" && on) present(false);
    else return;
    event.stopPropagation();
    event.preventDefault();
  }, true);
  addEventListener("resize", () => document.body.classList.contains("presenting") && redraw());
  $("explore-more").addEventListener("click", ({ currentTarget }) => {
    const open = $("explore-caption").classList.toggle("open");
    currentTarget.setAttribute("aria-expanded", String(open));
    currentTarget.textContent = open ? "less" : "more";
  });
}
