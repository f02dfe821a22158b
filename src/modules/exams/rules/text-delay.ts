/** Minutes that what goes out of a review beside the inbox waits where the exam says nothing: as long as a reviewer may take it back. */
const preset = 10

/** Milliseconds that it waits in an exam. */
export const textDelayOf = ({ textDelay }: { readonly textDelay: number | null }): number =>
  (textDelay ?? preset) * 60_000
