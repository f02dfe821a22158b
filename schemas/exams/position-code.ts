/** A text that is the code of a position of the row's exam: lists lead to the position. */
export const positionCode = {
  maxLength: 30,
  codeOf: { entity: 'examitems', by: 'code', within: 'examId' },
} as const
