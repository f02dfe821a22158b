import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'

interface Props {
  isPreset: boolean
  onChange: (isPreset: boolean) => void
}

/** Whether the settings of an exam are shown, or the presets of all exams. */
export function PresetSwitch({ isPreset, onChange }: Props): ReactNode {
  const t = useT()
  return (
    <Segmented
      value={isPreset}
      onChange={onChange}
      options={[
        { value: false, label: t('本考试') },
        { value: true, label: t('所有考试的预设') },
      ]}
    />
  )
}
