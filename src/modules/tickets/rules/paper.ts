/** What `exportTicket` prints, by the `type` of the call: one ticket, or the papers of a room or a whole stage. */
export const Paper = { ticket: 1, tickets: 2, doorLists: 3, signInSheets: 4, seatLabels: 5, roster: 6 } as const
