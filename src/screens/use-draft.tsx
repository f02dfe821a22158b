import { Alert, Button, Flex, Radio } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import { FieldInput } from './fields/inputs.tsx'
import { isEmpty, type WireRow } from './fields/props.ts'
import { shortTime } from './fields/short-time.ts'
import type { Values } from './form-values.ts'
import { changesOf, conflictsOf, countOf, type Draft, DraftKeeper, type DraftPlace } from './kept-draft.ts'
import type { FormKey } from './use-key.ts'

/** When a draft was kept, as the wire writes times. */
const wireTime = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

interface Difference {
  name: string
  start: Values
  draft: Draft
  place: DraftPlace
  row: WireRow | null
  isDraft: boolean
  onChoose: (isDraft: boolean) => void
}

/** One input that was changed by somebody else since the draft was begun: as it is now, and as the draft has it. */
function Differing({ name, start, draft, place, row, isDraft, onChoose }: Difference) {
  const t = useT()
  const field = place.fields[name]
  const title = t(field?.title ?? name)
  const shown = (value: unknown): ReactNode => {
    if (isEmpty(value)) return t('（空）')
    if (!field || place.rows?.[name]) return Array.isArray(value) ? t('{{n}} 项', { n: value.length }) : String(value)
    return <FieldInput field={field} name={name} value={value} row={row ?? {}} disabled onChange={() => undefined} />
  }
  return (
    <Flex vertical gap={4} role="group" aria-label={title}>
      <strong>{title}</strong>
      <Radio.Group value={isDraft} onChange={event => onChoose(event.target.value as boolean)}>
        <Flex vertical gap={4}>
          <Radio value={false}>
            <Flex gap={8}>
              <span className="draft-when">{t('现在')}</span>
              {shown(start[name])}
            </Flex>
          </Radio>
          <Radio value={true}>
            <Flex gap={8}>
              <span className="draft-when">{t('草稿')}</span>
              {shown(draft.values[name])}
            </Flex>
          </Radio>
        </Flex>
      </Radio.Group>
    </Flex>
  )
}

interface BarProps extends Pick<Difference, 'start' | 'draft' | 'place' | 'row'> {
  onRestore: (values: Values) => void
  onDrop: () => void
}

/** Says that there is a draft, and what in it differs from what others have changed since. */
function DraftBar({ draft, onRestore, onDrop, ...rest }: BarProps) {
  const t = useT()
  const { start } = rest
  const conflicts = conflictsOf(draft, start)
  const [now, setNow] = useState<ReadonlySet<string>>(new Set())
  const choose = (name: string, isDraft: boolean): void =>
    setNow(current => new Set(isDraft ? [...current].filter(one => one !== name) : [...current, name]))
  const restore = (): void =>
    onRestore(Object.fromEntries(Object.entries(draft.values).filter(([name]) => !now.has(name))))
  const buttons = (
    <Flex gap={8} wrap>
      <Button size="small" type="primary" onClick={restore}>
        {t('恢复')}
      </Button>
      <Button size="small" onClick={onDrop}>
        {t('丢弃')}
      </Button>
    </Flex>
  )
  // Below what is to be chosen: beside it they would leave no room on a phone.
  const isBeside = conflicts.length === 0
  return (
    <Alert
      type="info"
      showIcon
      style={{ marginBottom: 16 }}
      title={t('有 {{time}} 的草稿（{{n}} 项）', { time: shortTime(wireTime(draft.at)), n: countOf(draft, start) })}
      description={
        !isBeside && (
          <Flex vertical gap={12}>
            <span>{t('这条数据在此之后被修改过，请逐项选择：')}</span>
            {conflicts.map(name => (
              <Differing
                key={name}
                name={name}
                draft={draft}
                isDraft={!now.has(name)}
                onChoose={isDraft => choose(name, isDraft)}
                {...rest}
              />
            ))}
            {buttons}
          </Flex>
        )
      }
      action={isBeside && buttons}
    />
  )
}

/** What a form gives to have what is typed into it kept. */
export interface DraftForm extends DraftPlace {
  /** What the form began with; the same object as long as it is open. */
  readonly start: Values
  readonly row?: WireRow | null
  /** The key that the form is sent with. */
  readonly key: FormKey
  /** Puts what is restored into the form; an input that the draft has emptied is undefined. */
  readonly onRestore: (values: Values) => void
}

/** What {@link useDraft} gives a form. */
export interface KeptForm {
  /** The offer to restore what was typed before; null where there is nothing. */
  readonly bar: ReactNode
  /** To be called with what the form holds after each change. */
  readonly changed: (values: Values) => void
  /** To be called when what the form holds has been saved. */
  readonly saved: () => void
}

/**
 * Keeps what is typed into a form until it is saved, and offers it when the form is opened again, here or elsewhere. While nobody has
 * decided about what was typed before, what is typed now is kept beside it.
 */
export function useDraft({ start, row = null, key, onRestore, ...place }: DraftForm): KeptForm {
  const { form, rowId } = place
  // A form that goes on with another row begins anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: fields belong to the form
  const keeper = useMemo(() => new DraftKeeper(place), [form, rowId])
  const [found, setFound] = useState<Draft>()
  const isSaved = useRef(false)
  useEffect(() => {
    let isOpen = true
    isSaved.current = false
    void keeper.find().then(draft => {
      if (!isOpen || isSaved.current || !draft) return
      if (countOf(draft, start) > 0) setFound(draft)
      else keeper.drop()
    })
    const leave = (): void => keeper.flush()
    addEventListener('pagehide', leave)
    return () => {
      isOpen = false
      setFound(undefined)
      removeEventListener('pagehide', leave)
      keeper.flush()
    }
  }, [keeper, start])
  const changed = (values: Values): void => {
    const { values: typed, base } = changesOf(values, start)
    if (found) keeper.keep({ key: found.key, values: { ...found.values, ...typed }, base: { ...found.base, ...base } })
    else if (Object.keys(typed).length > 0) keeper.keep({ key: key.key, values: typed, base })
    else if (keeper.hasKept) keeper.drop()
  }
  const saved = (): void => {
    isSaved.current = true
    // What was typed before and neither restored nor dropped stays as it was.
    if (!found) keeper.drop()
    else {
      keeper.keep(found)
      keeper.flush()
    }
  }
  const restore = (values: Values): void => {
    if (found) key.goOn(found.key)
    setFound(undefined)
    onRestore(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isEmpty(value) ? undefined : value])),
    )
  }
  const drop = (): void => {
    setFound(undefined)
    keeper.drop()
  }
  const bar = found && (
    <DraftBar draft={found} start={start} place={place} row={row} onRestore={restore} onDrop={drop} />
  )
  return { bar: bar ?? null, changed, saved }
}
