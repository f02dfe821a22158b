import type { ExamForm } from './exam-form.ts'
import type { openParts } from './sheet.ts'
import type { Trouble } from './trouble.ts'
import type { SheetState } from './use-sheet.ts'

/** What every step is given. */
export interface StepProps {
  form: ExamForm
  state: SheetState
  open: ReturnType<typeof openParts>
  trouble: Trouble | undefined
  /** Goes to a step and, once it is drawn, to a control in it. */
  go: (step: number, elementId?: string) => void
  /** Set by a step: may it be left forwards? True when everything in it is in order. */
  leave: { current: () => boolean }
}
