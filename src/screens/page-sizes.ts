/** Rows on a page that a person may choose. */
export const PAGE_SIZES = [10, 30, 50, 100, 200]
