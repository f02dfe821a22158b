import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { columnField, type Deadline, type Resource } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { isEditable } from '../actions.ts'
import { Cell } from '../fields/cells.tsx'
import { isEmpty } from '../fields/props.ts'
import { useMay } from '../may.ts'
import type { PlaceAnswer } from './answer.ts'
import { PartDialog } from './PartDialog.tsx'
import type { Place } from './place.ts'

/** A part of the header's line that is edited by itself. */
interface LinePart {
  /** Names of its fields. */
  readonly fields?: readonly string[]
}

interface Props {
  place: Place
  resource: Resource
  answer: PlaceAnswer
  reload: () => void
}

/** What ends next and how long that is from now, with the button that moves it: it opens its part of the header's line. */
export function DeadlinePanel({ place, resource, answer, reload }: Props): ReactNode {
  const t = useT()
  const may = useMay(resource)
  const [isOpen, open] = useState(false)
  const { row, line } = answer
  const said = place.workspace.deadline
  if (!said || isEmpty(row[said.field])) return null
  const { field, label } = row[said.field] as Deadline
  const part = ((line || []) as readonly LinePart[]).find(one => one.fields?.includes(field))
  const mayMove = part !== undefined && may('edit') && isEditable(resource, row)
  return (
    <section className="place-panel place-deadline">
      <Cell field={columnField(resource, said.field)!} name={said.field} row={row} where="table" as="deadline" />
      {mayMove && <Button onClick={() => open(true)}>{t(said.verb)}</Button>}
      <PartDialog
        resource={resource}
        row={row}
        part={isOpen && part?.fields ? { title: label, fields: part.fields } : undefined}
        onClose={() => open(false)}
        reload={reload}
      />
    </section>
  )
}
