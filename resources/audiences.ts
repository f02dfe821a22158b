import type { CommonVariables } from '#engine'

/** Groups of people that events are told to; the server has a query for each (`src/modules/notifications/server/audiences.ts`). */
declare module '#engine' {
  interface Audiences {
    /** The candidate or member of staff that the row is of. */
    owner: true
    /** Whoever made the row. */
    creator: true
    /** Whoever has asked for an account, also where it is not in use. */
    applicant: true
    /** Whoever objects without an account: nobody's inbox; the module of objections sends the text message itself. */
    objector: true
    /** Candidates whom a notice is for. */
    'notice.readers': true
    /** Whoever was told to confirm a notice. */
    'notice.told': true
    /** Staff who may end the pause of an account for messages. */
    'account.keepers': true
    /** Candidates whose sign-up for the exam is submitted. */
    'exam.live': true
    /** Candidates whose sign-up for the exam is submitted and whom the window of the event concerns. */
    'window.people': true
    /** Candidates whom the window of the event concerns at the stage of the row. */
    'stage.concerned': true
    /** Candidates who ever signed up for the exam. */
    'exam.everybody': true
    /** Candidates whose sign-up for the exam stands at the position of the row. */
    'position.live': true
    /** Candidates with a ticket of the stage that is not void. */
    'stage.holders': true
    /** Candidates with a result of the stage. */
    'stage.people': true
    /** Candidates whose line is on a public notice. */
    'list.people': true
    /** Staff with a duty in the exam, its managers among them. */
    'exam.staff': true
    /** Managers of the exam. */
    'exam.managers': true
    /** Whoever decides on refunds and meets the row. */
    finance: true
    /** Whoever makes receipts out and meets the row. */
    'finance.invoices': true
    /** Who is to do a task of a process, or may claim it. */
    'task.doers': true
    /** Whoever answers what people ask about their personal data. */
    'data.officers': true
    /** Administrators of the tenant. */
    administrators: true
  }
}

declare module '#engine' {
  interface CommonVariables {
    /** Short name of the exam. */
    exam: true
    examName: true
    /** Whom to call. */
    phone: true
  }
  interface EventReferences {
    examId: true
  }
}

/** Names that a text may use of any event. */
export const commonVariables = ['exam', 'examName', 'phone'] as const satisfies readonly (keyof CommonVariables)[]
