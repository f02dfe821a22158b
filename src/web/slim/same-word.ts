const same = (word: string): string => word

/** Stands in for the rules of English plurals: titles of resources come from their definitions. */
export default { singular: same, plural: same }
