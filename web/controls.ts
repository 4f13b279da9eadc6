/** Small controls that several views share. */

import { freshId, h } from "./dom.js";
import type { Engine, ModelChoice } from "./engine/engine.js";

/** A choice of one among few, as a row of buttons. */
export function segmented<Name extends string>(
  legend: string,
  names: Readonly<Record<Name, string>>,
  onChange: (name: Name) => void,
): { element: HTMLElement; set(name: Name): void } {
  const group = freshId("choice");
  const inputs = new Map<Name, HTMLInputElement>();
  const options = (Object.entries(names) as [Name, string][]).map(([name, title]) => {
    const input = h("input", {
      type: "radio",
      name: group,
      value: name,
      change: () => onChange(name),
    });
    inputs.set(name, input);
    return h("label", {}, input, h("span", {}, title));
  });
  const element = h(
    "fieldset",
    { class: "segmented" },
    h("legend", { class: "unseen" }, legend),
    ...options,
  );
  return {
    element,
    set: (name) => {
      const input = inputs.get(name);
      if (input) input.checked = true;
    },
  };
}

/** A list of the models, one entry each. */
export function modelList(label: string, engine: Engine, onChange: () => void): HTMLSelectElement {
  const options = engine.listed.map((model) =>
    h("option", { value: model.id, "data-name": model.name }, describeModel(model)),
  );
  return h("select", { "aria-label": label, change: onChange }, ...options);
}

/** Chooses a model. A link may ask for one in the browser that the server has, too: its entry then says so. */
export function chooseModel(list: HTMLSelectElement, model: ModelChoice): void {
  list.value = model.id;
  if (list.value === model.id) return;
  const entry = [...list.options].find(({ dataset }) => dataset.name === model.name);
  if (!entry) return;
  entry.value = model.id;
  entry.textContent = describeModel(model);
  list.value = model.id;
}

/** A model with where it runs; one to fetch tells how large it is. */
function describeModel({ name, where, bytes, languages }: ModelChoice): string {
  const known = languages.length > 1 ? [`${languages.length} languages`] : [];
  if (where === "service") return [name, ...known, "on the server"].join(" · ");
  const size = bytes === undefined ? "" : ` (${megabytes(bytes)} MB)`;
  return [name, ...known, `in this browser${size}`].join(" · ");
}

/** A button that copies a text, and says that it did. */
export function copyButton(label: string, text: string): HTMLElement {
  const told = h("span", { class: "told", role: "status" });
  const onClick = async () => {
    told.textContent = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "The browser does not allow it",
    );
  };
  return h("span", {}, h("button", { type: "button", click: onClick }, label), " ", told);
}

const MEGABYTE = 1e6;

function megabytes(bytes: number, total = bytes): string {
  return (bytes / MEGABYTE).toFixed(total < 10 * MEGABYTE ? 1 : 0);
}

/** How far something has come, in a bar and in words. */
export class ProgressLine {
  readonly #bar = h("progress", { max: 1, value: 0, "aria-label": "Loading" });
  readonly #text = h("span", {});
  readonly element = h(
    "p",
    { class: "progress", role: "status", hidden: true },
    this.#bar,
    this.#text,
  );

  show(text: string, share?: number): void {
    this.element.hidden = false;
    this.#bar.hidden = share === undefined;
    if (share !== undefined) this.#bar.value = share;
    this.#text.textContent = text;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** The progress of a model on its way, as `Engine.parse` reports it. */
export function showLoading(
  line: ProgressLine,
  model: string,
): (loaded: number, total: number) => void {
  return (loaded, total) => {
    if (loaded < total) {
      line.show(
        `Fetching ${model}: ${megabytes(loaded, total)} of ${megabytes(total)} MB`,
        loaded / total,
      );
    } else {
      line.show(`Making ${model} ready …`, 1);
    }
  };
}

/** A place that takes files, chosen or dropped; `hint` says where such files come from. */
export function filePicker(
  label: string,
  hint: string,
  options: { accept: string; multiple?: boolean; onFiles: (files: File[]) => void },
): HTMLElement {
  const input = h("input", {
    type: "file",
    class: "unseen",
    accept: options.accept,
    multiple: options.multiple ?? false,
    change: () => {
      options.onFiles([...(input.files ?? [])]);
      // The same file can be chosen again.
      input.value = "";
    },
  });
  const area = h("label", { class: "drop" }, input, h("span", {}, label), h("code", {}, hint));
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    options.onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  return area;
}
