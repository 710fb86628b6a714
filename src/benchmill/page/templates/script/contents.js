// One study at a time: the others' articles are there for the browser's search and for links, and shown when those lead to them.
import { $ } from "./elements.js";

const articles = [...document.querySelectorAll("main > article")];
let current = null;
export const currentArticle = () => current;
// The study that an address inside the page leads to; null for other places
export function articleAt(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))?.closest("main > article")?.id ?? null;
  } catch {
    return null; // no address of this page
  }
}
export function showArticle(id) {
  const article = articles.find((one) => one.id === id);
  if (!article || id === current) return;
  current = id;
  for (const other of articles) {
    if (other === article) other.removeAttribute("hidden");
    else other.setAttribute("hidden", "until-found");
  }
  for (const link of document.querySelectorAll("#studies a")) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // what can be explored stands below the verdict of its study
  if ($("explore") && article.dataset.explored !== undefined) article.querySelector(".card").after($("explore"));
}

// A link into a folded part unfolds it
function unfold() {
  let target = null;
  try {
    target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return;
  }
  for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  target?.scrollIntoView();
}

showArticle(articleAt(location.hash) ?? articles[0]?.id);
addEventListener("popstate", () => showArticle(history.state?.article ?? articleAt(location.hash)));
for (const article of articles) article.addEventListener("beforematch", () => showArticle(article.id));
addEventListener("hashchange", unfold);
if (location.hash) unfold();
