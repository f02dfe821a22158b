import { purgePdf } from '../modules/privacy/documents/purge-pdf.ts'
import { publicityPdf } from '../modules/publicity/documents/publicity-pdf.ts'
import { finalListPdf } from '../modules/results/documents/final-list-pdf.ts'
import { signFormPdf } from '../modules/sign-up/documents/sign-form-pdf.ts'
import { doorListPdf, seatLabelsPdf, signInSheetPdf } from '../modules/tickets/documents/room-pdf.ts'
import { ticketPdf, ticketsPdf } from '../modules/tickets/documents/ticket-pdf.ts'
import { serveDrawings } from '../platform/pdf/drawing-thread.ts'
import { unprintable } from '../platform/pdf/fonts.ts'

serveDrawings({
  unprintable,
  doorListPdf,
  finalListPdf,
  publicityPdf,
  purgePdf,
  seatLabelsPdf,
  signInSheetPdf,
  signFormPdf,
  ticketPdf,
  ticketsPdf,
})
