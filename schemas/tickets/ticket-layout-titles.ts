/** What administrators call the layouts of tickets, by their names. Lists of parameters need no more of them. */
export const ticketLayoutTitles = { standard: '标准版', large: '大字版' } as const
