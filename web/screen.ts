/** What kind of screen the page is on, as its style tells them apart. */

export const PHONE = matchMedia("(max-width: 560px)");

/** Narrower than this there is no room for a list beside a tree. */
export const WIDE = matchMedia("(min-width: 1000px)");
