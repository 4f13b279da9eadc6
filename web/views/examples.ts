/** Sentences to begin with: the small model parses them as a treebank would, which a test checks. */

export const EXAMPLES: Readonly<Record<string, string>> = {
  Storm: "A storm that came from the north damaged the roof of the church",
  Telescope: "She watched the man with the telescope",
  Headlines:
    "The mayor opened the new bridge over the river on Monday\n\n" +
    "The council wants to plant a thousand trees along the river\n\n" +
    "Volunteers have cleaned the park near the station",
};

export const FIRST_TEXT = EXAMPLES.Storm as string;
