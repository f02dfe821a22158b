import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { Nothing } from './Nothing.tsx'

interface Props {
  /** What is said where there are no rows at all, in the person's language. */
  none: string
  /** Some rows are hidden by what is searched for or by a named filter. */
  limited: boolean
  /** The named filter that alone hides rows. */
  chip: string | undefined
  onClear: () => void
  /** Buttons for what to do next. */
  children?: ReactNode
}

/** A list without rows: why, and how to see all where some are hidden. */
export function NoRows({ none, limited, chip, onClear, children }: Props) {
  const t = useT()
  const found = chip ? t('「{{chip}}」下没有数据', { chip: t(chip) }) : t('没有符合条件的数据')
  return (
    <Nothing picture={limited ? 'magnifier' : 'tray'} text={limited ? found : none}>
      <div className="list-next">
        {limited && <Button onClick={onClear}>{t(chip ? '看全部' : '清除筛选')}</Button>}
        {children}
      </div>
    </Nothing>
  )
}
