import { ExclamationCircleFilled } from '@ant-design/icons'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { StaffUnit } from '../../contract.ts'

/** What a unit lacks, in words and with a mark, and how many wait there. */
export function UnitState({ unit }: { unit: StaffUnit }) {
  const t = useT()
  const { lacking, posts, waiting } = unit
  const waits = waiting > 0 && <span className="staff-waiting">{t('待审 {{n}} 人', { n: waiting })}</span>
  if (lacking.length === 0) return waits || null
  return (
    <span className="staff-lacks">
      <ExclamationCircleFilled aria-hidden />
      {lacking.length === posts ? t('无人负责') : t('{{n}} 个岗位无人负责', { n: lacking.length })}
      {waits}
    </span>
  )
}
