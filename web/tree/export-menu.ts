/** The menu by which a tree leaves the page. */

import { h, messageOf } from "../dom.js";
import { copy, download, type Format } from "../exports.js";

/** @param name of the files, without their endings */
export function exportMenu<From>(
  name: string,
  formats: readonly Format<From>[],
  from: () => From,
): HTMLElement {
  const told = h("p", { class: "told", role: "status" });
  const attempt = async (action: () => Promise<string>) => {
    try {
      told.textContent = await action();
    } catch (error) {
      told.textContent = messageOf(error);
    }
  };
  const rows = formats.map((format) => {
    const onCopy = () =>
      attempt(async () => {
        await copy(await format.make(from()));
        return `${format.name} copied`;
      });
    const onSave = () =>
      attempt(async () => {
        const file = `${name}.${format.ending}`;
        download(await format.make(from()), file);
        return `${file} saved`;
      });
    return h(
      "li",
      {},
      h("span", { "aria-hidden": "true" }, format.name),
      h("button", { type: "button", "aria-label": `Copy ${format.name}`, click: onCopy }, "Copy"),
      h("button", { type: "button", "aria-label": `Save ${format.name}`, click: onSave }, "Save"),
    );
  });
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", {}, "Export"),
    h("ul", {}, ...rows),
    told,
  );
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  return menu;
}

// Open menus close when something else is pressed.
document.addEventListener("pointerdown", ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (!menu.contains(target as Node)) menu.open = false;
  }
});
