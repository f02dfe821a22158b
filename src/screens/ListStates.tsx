import { Button } from 'antd'
import { useT } from '../platform/i18n/i18n.ts'
import { type Around, useNextSteps } from './next-steps.ts'
import { NoRows } from './parts/NoRows.tsx'

interface Props {
  around: Around
  /** Some rows are hidden by what is searched for or by a named filter. */
  limited: boolean
  /** The named filter that alone hides rows. */
  chip: string | undefined
  onClear: () => void
}

/** A generated list without rows: why, and what to do next. */
export function ListEmpty({ around, limited, chip, onClear }: Props) {
  const t = useT()
  const next = useNextSteps(around)
  const { entity, empty } = around.resource
  const none = empty ? t(empty.text) : t('还没有{{name}}', { name: t(entity.title) })
  return (
    <NoRows none={none} limited={limited} chip={chip} onClear={onClear}>
      {next.map(({ label, run }, at) => (
        <Button key={label} type={at === 0 && !limited ? 'primary' : 'default'} onClick={run}>
          {t(label)}
        </Button>
      ))}
    </NoRows>
  )
}
