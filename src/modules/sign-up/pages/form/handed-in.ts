import { HANDED_IN } from '../../../../platform/http/browser/session.ts'

/** Remembers, in this tab, which exam's form has been handed in from it. */
export const markHandedIn = (examId: string): void => sessionStorage.setItem(HANDED_IN, examId)

/** Whether somebody who came back through the browser's history meets a form that was handed in from this tab. */
export const wasHandedIn = (examId: string): boolean => sessionStorage.getItem(HANDED_IN) === examId

/** Whoever opens the form by a link wants to change what was handed in. */
export const reopenForm = (): void => sessionStorage.removeItem(HANDED_IN)
