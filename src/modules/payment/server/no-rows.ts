import { refuse } from '../../../platform/http/server/refusal.ts'

/** The refusal of a workbook in which no row was filled in. */
export const noRows = () => refuse('input.invalid', { 说明: '文件中没有数据' })
