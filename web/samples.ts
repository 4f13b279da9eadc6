/** The small samples that come with the page, so that views explain themselves. */

/** A sample as a file; undefined if it is not there: the page works without. */
export async function fetchSample(name: string): Promise<Blob | undefined> {
  try {
    const response = await fetch(new URL(`samples/${name}`, document.baseURI));
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}
