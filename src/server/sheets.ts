import type { SheetEntry } from '../crud/sheet-rules.ts'
import { messageSheetRules } from '../modules/messages/server/import.ts'
import { exemptSheetRules } from '../modules/payment/server/exempt-sheet.ts'
import { invoiceSheetRules } from '../modules/payment/server/invoice.ts'
import { resultSheetRules } from '../modules/results/server/import.ts'
import { roomSheetRules } from '../modules/tickets/server/rooms.ts'
import { seatSheetRules } from '../modules/tickets/server/seat-sheet.ts'

/** The rules of every sheet. */
export const sheetRulesList: readonly SheetEntry[] = [
  exemptSheetRules,
  invoiceSheetRules,
  messageSheetRules,
  resultSheetRules,
  roomSheetRules,
  seatSheetRules,
]
