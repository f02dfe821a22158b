/** Pictures that an exam can ask for before a ticket is given out, by the name of their column in the register. */
export const ticketPictures = { jkm: '健康码', xcm: '行程码', hsjcbg: '核酸检测报告' } as const

/** Name of such a picture. */
export type TicketPicture = keyof typeof ticketPictures

/** Names of the pictures, in the order in which they are shown. */
export const ticketPictureNames = Object.keys(ticketPictures) as readonly TicketPicture[]
