import type { Sheet } from '#engine'
import { resultSheet } from './results/result-sheet.ts'
import { roomSheet } from './tickets/room-sheet.ts'
import { seatSheet } from './tickets/seat-sheet.ts'

/** Every workbook that is filled in and comes back, but for those of resources, which are made from their forms. */
export const sheets: readonly Sheet[] = [resultSheet, roomSheet, seatSheet]
