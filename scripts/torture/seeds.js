// One sound input for every reader, with the command that reads it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const FIXTURES = fileURLToPath(new URL("../../test/", import.meta.url));

export function seeds(model) {
  const trees = readFileSync(join(FIXTURES, "fixtures/gold.mrg"));
  const record = { tokens: ["the", "old", "man", "sat"], brackets: [[0, 3]], source: "s", id: "1" };
  const more = {
    weights: [2],
    kinds: ["answer"],
    text: "the old man sat",
    offsets: [
      [0, 3],
      [4, 7],
      [8, 11],
      [12, 15],
    ],
  };
  const jsonl = Buffer.from(`${JSON.stringify({ ...record, ...more })}\n`.repeat(8));
  const html =
    "<html><body><h1>T</h1><p>See <a href='x'>the old man</a> by <b>a door</b>. He ran.</p></body>";
  const markdown =
    "---\ntitle: x\n---\n# T\n\nSee [the old man](x) by **a door**. He `ran` {{< ref x >}}.\n";
  const xml = readFileSync(join(FIXTURES, "extract/links/fixtures/multistream.xml.bz2"));
  const page =
    "<mediawiki><siteinfo></siteinfo><page><title>A</title><ns>0</ns><id>1</id><revision><text>The [[old man]] sat. {{cite}}</text></revision></page></mediawiki>";
  const conllu = "# x\n1\tthe\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n";
  const common = ["-m", model, "--threads", "1"];
  return [
    { name: "trees", ending: "mrg", bytes: trees, args: (file) => ["convert", file, "-f", "json"] },
    { name: "evaluate", ending: "mrg", bytes: trees, args: (file) => ["evaluate", file, file] },
    {
      name: "trees.gz",
      ending: "mrg.gz",
      bytes: gzipSync(trees),
      args: (file) => ["convert", file],
    },
    {
      name: "jsonl",
      ending: "jsonl",
      bytes: jsonl,
      args: (file) => ["extract", "jsonl", file, "--clean", "--english"],
    },
    { name: "stats", ending: "jsonl.gz", bytes: gzipSync(jsonl), args: (file) => ["stats", file] },
    { name: "auto", ending: "json", bytes: jsonl, args: (file) => ["extract", "auto", file] },
    {
      name: "html",
      ending: "html",
      bytes: Buffer.from(html.repeat(3)),
      args: (file) => ["extract", "html", file, "--threads", "1"],
    },
    {
      name: "markdown",
      ending: "md",
      bytes: Buffer.from(markdown.repeat(3)),
      args: (file) => ["extract", "markdown", file, "--threads", "1"],
    },
    {
      name: "tar",
      ending: "tar",
      bytes: tar("a.md", markdown.repeat(3)),
      args: (file) => ["extract", "markdown", file, "--threads", "1"],
    },
    {
      name: "tar.gz",
      ending: "tar.gz",
      bytes: gzipSync(tar("a.html", html.repeat(3))),
      args: (file) => ["extract", "html", file, "--threads", "1"],
    },
    {
      name: "bz2",
      ending: "xml.bz2",
      bytes: xml,
      args: (file) => ["extract", "wikipedia", file, "--threads", "1"],
    },
    {
      name: "xml",
      ending: "xml",
      bytes: Buffer.from(page),
      args: (file) => ["extract", "wikipedia", file, "--threads", "1"],
    },
    {
      name: "wikitext",
      ending: "wiki",
      bytes: Buffer.from(
        "The [[old man|man]] ''sat''. {{a|b}} [http://x y] <ref>z</ref>\n* [[b]]\n",
      ),
      args: (file) => ["extract", "wikitext", file, "--threads", "1"],
    },
    {
      name: "text",
      ending: "txt",
      bytes: Buffer.from("The old man sat. [A dog] ran.\n\nYes.\n"),
      args: (file) => ["parse", file, "--constrain", "--max-tokens", "100", ...common],
    },
    {
      name: "conllu",
      ending: "conllu",
      bytes: Buffer.from(conllu.repeat(3)),
      args: (file) => ["parse", file, "-f", "conllu-misc", "--max-tokens", "100", ...common],
    },
    {
      name: "model",
      folder: model,
      args: (folder) => ["parse", "the dog", "-m", folder, "--threads", "1"],
    },
    {
      name: "log",
      ending: "jsonl",
      bytes: Buffer.from(
        '{"step":1,"loss":2,"violations":1,"gradientNorm":1,"rate":1,"seconds":1}\n'.repeat(4),
      ),
      args: (file) => ["plot", file],
    },
  ];
}

/** A tar archive of one file. */
function tar(name, text) {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  const octal = (number, digits) => `${number.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(content.length, 11), 124);
  header.write(`${" ".repeat(8)}0`, 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(octal(sum, 6), 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding, Buffer.alloc(1024)]);
}
