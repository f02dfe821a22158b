import { answerNames } from '../../schemas/sign-up/signup-parts.ts'

/** Columns that the workbook of sign-ups offers, in the order they stand in it; the masks show who somebody is in part. */
export const sheetColumns = [
  'signNo',
  'name',
  'sex',
  'birthday',
  'idCardMask',
  'phoneMask',
  'idCard',
  'phone',
  'examName',
  'finalUnit',
  'finalType',
  'finalCode',
  'finalPost',
  'unit',
  'code',
  'unit2',
  'code2',
  'adjustAccept',
  ...answerNames,
  'signStatus',
  'examine',
  'examineRemark',
  'examineTime',
  'reviewStatus',
  'reduceState',
  'payState',
  'ticketState',
  'submitTime',
  'submitCount',
  'cancelReason',
] as const
export type SheetColumn = (typeof sheetColumns)[number]

/** Columns that show who somebody is in full: they need a reason and the password. */
export const openColumns = ['idCard', 'phone'] as const satisfies readonly SheetColumn[]
export type OpenColumn = (typeof openColumns)[number]

/** Columns of a workbook for which nothing else is asked. */
export const usualColumns: readonly SheetColumn[] = [
  'signNo',
  'name',
  'sex',
  'idCardMask',
  'phoneMask',
  'examName',
  'finalUnit',
  'finalCode',
  'finalPost',
  'signStatus',
  'examine',
  'reviewStatus',
  'submitTime',
  'payState',
  'ticketState',
]
