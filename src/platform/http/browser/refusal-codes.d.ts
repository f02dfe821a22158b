import type { RefusalCodes } from '#engine'

declare global {
  /**
   * Codes of refusals by name: `REFUSAL.signup.closed`. The build puts the number in its place, so no table is sent to the
   * browser.
   */
  const REFUSAL: RefusalCodes
}
