/** How far annotation has come: answers, people and their agreement, lessons and what they gave. */

import type { AgreementRecord, AnnotationStateRecord } from "../../src/service/wire-annotation.js";
import { h } from "../dom.js";
import { lineChart } from "../plots.js";

export class Standing {
  readonly #counts = h("p", {});
  readonly #bar = h("progress", { max: 1, value: 0, "aria-label": "Lesson" });
  readonly #lesson = h("p", { class: "progress" });
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  /** On a narrow screen it scrolls, which must be possible with keys as well. */
  readonly #agreement = h("div", {
    class: "table",
    role: "region",
    tabindex: 0,
    "aria-label": "Agreement between people",
    hidden: true,
  });
  readonly #curve = h("div", { class: "plots" });
  readonly element = h(
    "section",
    { class: "standing", "aria-label": "Progress" },
    this.#counts,
    this.#lesson,
    this.#problem,
    this.#curve,
    this.#agreement,
  );
  #drawn = "";

  show(state: AnnotationStateRecord, by: string): void {
    this.#counts.textContent = countsText(state, by);
    this.#showLesson(state);
    this.#problem.hidden = state.problem === null;
    this.#problem.textContent = `In the background: ${state.problem}`;
    // Drawn anew only if it changed, so that what a reader looks at stays.
    const drawn = JSON.stringify([state.curve, state.agreement]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#curve.replaceChildren(...curveOf(state));
    this.#agreement.replaceChildren(...agreementOf(state));
    this.#agreement.hidden = state.agreement.questions === 0;
  }

  #showLesson({ lesson, nextLesson }: AnnotationStateRecord): void {
    this.#bar.hidden = lesson === null;
    this.#lesson.hidden = lesson === null && nextLesson === null;
    if (lesson) {
      this.#bar.value = lesson.step / Math.max(1, lesson.steps);
      this.#lesson.replaceChildren(this.#bar, `Learning from ${lesson.answers} answers`);
    } else {
      this.#lesson.replaceChildren(this.#bar, `The next lesson begins after ${nextLesson} more.`);
    }
  }
}

function countsText({ answers, heldBack, people }: AnnotationStateRecord, by: string): string {
  const own = people.find(({ name }) => name === by)?.answers ?? 0;
  const others = people.filter((each) => each.name !== by && each.answers > 0).length;
  const who = others === 0 ? "" : `, ${own} of them yours`;
  const several = others > 0 ? ` ${others + 1} people answer.` : "";
  return `${counted(answers, "answer")}${who}; ${heldBack} are held back to measure on.${several}`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** The share of the held-back answers that each model agrees with. */
function curveOf({ curve }: AnnotationStateRecord): HTMLElement[] {
  const measured = curve.filter(({ heldBack }) => heldBack > 0);
  const last = measured.at(-1);
  if (curve.length < 2 || !last) return [];
  const points = measured.map(({ answers, agreed, heldBack }) => {
    return { x: answers, y: (100 * agreed) / heldBack };
  });
  const title = "Agreement of the parser's trees with held-back answers, in %";
  const series = [{ name: "agreement", colour: "var(--series-0)", points }];
  const chart = lineChart(title, series, (x) => chart.point(x), "answers");
  const told = `${last.agreed} of ${last.heldBack} after ${counted(last.answers, "answer")}, ${measured[0]?.agreed} at first.`;
  const kept = last.used ? "" : " The model before it is better and stays in use.";
  chart.element.append(h("p", { class: "status" }, `${told}${kept}`));
  return [chart.element];
}

function agreementOf({ agreement }: AnnotationStateRecord): HTMLElement[] {
  const row = (who: string, { questions, share, kappa }: AgreementRecord) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, who),
      h("td", {}, String(questions)),
      h("td", {}, share === null ? "–" : `${Math.round(100 * share)} %`),
      h("td", {}, kappa === null ? "–" : kappa.toFixed(2)),
    );
  const columns = ["Agreement", "Questions", "Equal", "Kappa"];
  const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col" }, column)));
  const pairs = agreement.pairs.map((pair) => row(pair.people.join(", "), pair));
  const all = agreement.pairs.length > 1 ? [row("all", agreement)] : [];
  return [h("table", {}, h("thead", {}, head), h("tbody", {}, ...all, ...pairs))];
}
