/**
 * Decides which links lead to articles. The dump of a wiki names its namespaces; the names below are
 * for text without a dump, and for dumps with the header of another wiki.
 */

export type LinkKind =
  /** An article of the same wiki. */
  | "article"
  /** Not shown where it stands: a picture, a category, the same article in another language. */
  | "hidden"
  /** Shown, but leads elsewhere: a help page, another project. */
  | "elsewhere";

const HIDDEN = `file image category media datei bild kategorie fichier catégorie categorie archivo
  imagen categoría categoria immagine файл картинка категория bestand afbeelding ficheiro imagem
  plik grafika fil bilde kategori kuva tiedosto luokka ファイル 画像 カテゴリ 文件 图像 分类 檔案
  зображення категорія dosya resim kép fájl kategória soubor κατηγορία αρχείο ملف تصنيف קובץ קטגוריה`;

const ELSEWHERE = `talk user wikipedia project mediawiki template help special portal book draft module
  timedtext wp wt mos topic gadget benutzer benutzerin diskussion vorlage hilfe spezial modul
  utilisateur utilisatrice discussion modèle aide spécial projet portail usuario usuaria discusión
  plantilla ayuda especial wikiproyecto utente discussione aiuto speciale progetto portale modulo
  потребител беседа шаблон помощ специални портал участник обсуждение справка служебная gebruiker
  overleg sjabloon usuário predefinição ajuda anexo`;

/** Other projects, by the prefixes that their links carry. */
const PROJECTS = `wikt wiktionary w wikisource s wikibooks b wikiquote q wikinews n wikiversity v
  wikivoyage voy commons c meta m wikispecies species wikidata d mw mediawikiwiki foundation wmf
  phab doi iarchive arxiv google imdb`;

const LANGUAGE = /^(?:[a-z]{2,3}|simple|(?:[a-z]{2,3}-)(?:[a-z-]{2,12}))$/;

/** Two-letter beginnings of titles that are no languages. */
const NO_LANGUAGE = new Set(["re", "we", "go", "xx"]);

function words(list: string): string[] {
  return list.split(/\s+/);
}

export class LinkNames {
  readonly #kinds = new Map<string, LinkKind>();

  /** `namespaces` are a wiki's own: their numbers and names. */
  constructor(namespaces: readonly (readonly [key: number, name: string])[] = []) {
    for (const name of words(PROJECTS)) this.#kinds.set(name, "elsewhere");
    for (const name of words(ELSEWHERE)) this.#kinds.set(name, "elsewhere");
    for (const name of words(HIDDEN)) this.#kinds.set(name, "hidden");
    for (const [key, name] of namespaces) {
      const hidden = key === 6 || key === 14;
      if (key !== 0) this.#kinds.set(name.toLowerCase(), hidden ? "hidden" : "elsewhere");
    }
  }

  kindOf(target: string): LinkKind {
    const shown = target.startsWith(":");
    const colon = target.indexOf(":", 1);
    if (colon < 0) return shown ? "elsewhere" : "article";
    const prefix = target
      .slice(shown ? 1 : 0, colon)
      .replaceAll("_", " ")
      .trim();
    const known = this.#kinds.get(prefix.toLowerCase());
    if (known) return shown ? "elsewhere" : known;
    if (shown) return "elsewhere";
    return LANGUAGE.test(prefix) && !NO_LANGUAGE.has(prefix) ? "hidden" : "article";
  }
}
