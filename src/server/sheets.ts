import type { SheetEntry } from '../crud/sheet-rules.ts'
import { resultSheetRules } from '../modules/results/server/import.ts'
import { roomSheetRules } from '../modules/tickets/server/rooms.ts'
import { seatSheetRules } from '../modules/tickets/server/seat-sheet.ts'

/** The rules of every sheet. */
export const sheetRulesList: readonly SheetEntry[] = [resultSheetRules, roomSheetRules, seatSheetRules]
