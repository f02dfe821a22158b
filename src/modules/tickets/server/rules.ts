import { examroom } from '#resources/exams/examroom'
import { examinationticket } from '#resources/tickets/examinationticket'
import { ticketnotice } from '#resources/tickets/ticketnotice'
import { ticketremark } from '#resources/tickets/ticketremark'
import { rules } from '../../../crud/rules.ts'
import { registerHandlers, ticketHandlers, ticketHooks } from './handlers.ts'
import { seatRules } from './lock.ts'
import { releaseRules } from './release.ts'
import { roomNumbers } from './room-numbers.ts'
import { roomHooks } from './seat-lock.ts'
import { signupNumbers } from './signup-numbers.ts'

/** Rules of tickets beyond their definitions. */
export const ticketRules = [
  ...releaseRules,
  ...seatRules,
  rules(examroom, { hooks: { ...roomHooks, measure: roomNumbers } }),
  rules(examinationticket, { routed: ['print'], hooks: ticketHooks, handlers: ticketHandlers }),
  rules(ticketnotice, { handlers: registerHandlers }),
  rules(ticketremark, { routed: ['preview'] }),
  signupNumbers,
]
