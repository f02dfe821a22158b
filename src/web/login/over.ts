import type { TokenAnswer } from '../../platform/http/browser/session.ts'

/** True when this page stands in a frame over a window that waits for its person. */
export const isOver = (): boolean => new URLSearchParams(location.search).has('over') && parent !== window

/** Gives what signing in answered to the window behind, which knows whom it waits for. */
export const tellWindow = (answer: TokenAnswer): void => parent.postMessage({ signedIn: answer }, location.origin)
