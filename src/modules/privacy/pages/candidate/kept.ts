import { useT } from '../../../../platform/i18n/i18n.ts'
import type { OwnKind } from '../../contract.ts'

type Keep = Pick<OwnKind, 'from' | 'months' | 'then'>

const starts = { archive: '考试归档日', day: '考试结束日', end: '最近一次使用' } as const
const ends = { erase: '到期删除', blank: '到期清除姓名、号码和文件', stay: '到期前依法保留' } as const

/** How long something is kept, in words. */
export function useKept() {
  const t = useT()
  return {
    period: ({ from, months, then }: Keep): string =>
      t('{{start}}后 {{n}} 个月，{{end}}', { start: t(starts[from]), n: months, end: t(ends[then]) }),
    until: (day: string, { from, months }: Keep): string =>
      day ? t('保存至 {{day}}', { day }) : t('{{start}}后再保存 {{n}} 个月', { start: t(starts[from]), n: months }),
  }
}
