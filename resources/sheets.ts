import type { Sheet } from '#engine'
import { messageSheet } from './messages/message-sheet.ts'
import { exemptSheet } from './payment/exempt-sheet.ts'
import { invoiceSheet } from './payment/invoice-sheet.ts'
import { resultSheet } from './results/result-sheet.ts'
import { roomSheet } from './tickets/room-sheet.ts'
import { seatSheet } from './tickets/seat-sheet.ts'

/** Every workbook that is filled in and comes back, but for those of resources, which are made from their forms. */
export const sheets: readonly Sheet[] = [exemptSheet, invoiceSheet, messageSheet, resultSheet, roomSheet, seatSheet]
