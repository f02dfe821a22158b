import type { SignState } from '../../../../screens/candidate/states.ts'

/** One thing that happened to a sign-up. */
export interface TimelineStep {
  action: number
  label: string
  time: string
  remark: string
}

/** A sign-up in the person's own list. */
export interface Mine extends SignState {
  id: string
  signNo: string
  examId: string
  examName: string
  unitName: string
  typeName: string
  code: string
  postName: string
  examineRemark: string
  submitTime: string
  contactPhone: string
  version: number
  adjustAccept: 0 | 1 | ''
  /** Whether one accepts being moved may still be changed. */
  canAdjust: boolean
  /** Why it is too late to take the sign-up back, in words. */
  withdrawBlock?: string
  nextStep: string
  deadline: string
  steps: TimelineStep[]
}
