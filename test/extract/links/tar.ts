/** Archives for tests: ustar headers as `tar` writes them. */

export function tar(files: Record<string, string>): Buffer {
  const records = Object.entries(files).map(([name, text]) => {
    const content = Buffer.from(text);
    const long = Buffer.byteLength(name) > 100;
    const own = entry(long ? name.slice(0, 100) : name, content, "0");
    return long ? Buffer.concat([entry("././@LongLink", Buffer.from(`${name}\0`), "L"), own]) : own;
  });
  return Buffer.concat([...records, Buffer.alloc(1024)]);
}

function entry(name: string, content: Buffer, type: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
