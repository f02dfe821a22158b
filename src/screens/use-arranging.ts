import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/** A row that has been lifted, and the order while it moves. */
interface Lifted {
  id: string
  ids: readonly string[]
  by: 'keys' | 'pointer'
}

/** A list with one of its members at another place. */
function movedTo(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter(one => one !== id)
  others.splice(Math.max(0, Math.min(to, others.length)), 0, id)
  return others
}

/** The row under a point, if the point is so far inside that the lifted row belongs at its place. */
function rowAt(x: number, y: number, ids: readonly string[], id: string): string | undefined {
  const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-row-key]')
  const over = row?.dataset.rowKey
  if (!row || over === undefined || over === id || !ids.includes(over)) return undefined
  const { top, height } = row.getBoundingClientRect()
  const isBelow = ids.indexOf(over) > ids.indexOf(id)
  return (isBelow ? y > top + height / 2 : y < top + height / 2) ? over : undefined
}

const places: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowUp: at => at - 1,
  ArrowDown: at => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
}

/** What draws the handle of a row. */
interface HandleProps {
  'data-handle': string
  'aria-pressed': boolean
  onPointerDown: (event: PointerEvent) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Puts rows into order: a handle is dragged, or lifted with the space key, moved with the arrows, put down with the space
 * key and put back with Escape. The order is saved when the row is put down, in one call.
 * @param ids the rows as they are stored
 * @param save stores another order; what is shown goes back when it fails
 * @returns the ids in the order shown, the lifted one, and what each handle needs
 */
export function useArranging(ids: readonly string[], save: (ids: string[]) => Promise<unknown>) {
  const [lifted, setLifted] = useState<Lifted>()
  const [saving, setSaving] = useState<readonly string[]>()
  const now = useRef<Lifted | undefined>(undefined)
  const lift = (next: Lifted | undefined): void => {
    now.current = next
    setLifted(next)
  }
  const drop = async (): Promise<void> => {
    const done = now.current
    lift(undefined)
    if (!done || done.ids.join() === ids.join()) return
    setSaving(done.ids)
    await save([...done.ids]).catch(() => undefined)
    setSaving(undefined)
  }
  // Rows change places in the page while one is dragged, so its handle neither keeps the pointer nor the focus by itself.
  const onPointerDown = (id: string) => (event: PointerEvent) => {
    if (event.button !== 0 || saving) return
    event.preventDefault()
    lift({ id, ids, by: 'pointer' })
    const move = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      const held = now.current
      const over = held && rowAt(clientX, clientY, held.ids, id)
      if (held && over) lift({ ...held, ids: movedTo(held.ids, id, held.ids.indexOf(over)) })
    }
    const end = (up: Event): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
      if (up.type === 'pointerup') void drop()
      else lift(undefined)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
  }
  const onKeyDown = (id: string) => (event: KeyboardEvent) => {
    const held = now.current?.id === id ? now.current : undefined
    const place = places[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (held) void drop()
      else if (!saving) lift({ id, ids, by: 'keys' })
    } else if (held && event.key === 'Escape') lift(undefined)
    else if (held && event.key === 'Tab') void drop()
    else if (held && place) {
      event.preventDefault()
      const { length } = held.ids
      lift({ ...held, ids: movedTo(held.ids, id, place(held.ids.indexOf(id), length - 1)) })
    }
  }
  const { id, by } = lifted ?? {}
  const order = lifted?.ids ?? saving ?? ids
  const place = id ? order.indexOf(id) : -1
  useEffect(() => {
    if (id === undefined || place < 0) return
    const handles = document.querySelectorAll<HTMLElement>('[data-handle]')
    const handle = [...handles].find(one => one.dataset.handle === id)
    if (by === 'keys') handle?.focus()
    handle?.scrollIntoView?.({ block: 'nearest' })
  }, [id, by, place])
  const handleOf = (row: string): HandleProps => ({
    'data-handle': row,
    'aria-pressed': row === id,
    onPointerDown: onPointerDown(row),
    onKeyDown: onKeyDown(row),
  })
  return { order, lifted: id, busy: saving !== undefined, handleOf }
}

/** What {@link useArranging} answers. */
export type Arranging = ReturnType<typeof useArranging>
