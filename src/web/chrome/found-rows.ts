import { catalogue } from 'virtual:catalogue'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import type { WireRow } from '../../screens/fields/props.ts'
import { useMayOpen } from '../../screens/may-open.ts'
import { callAny, isPage } from '../../screens/providers/any-resource.ts'
import { usePermissions } from '../../screens/providers/rights.ts'

/** A row that the search found. */
export interface FoundRow {
  readonly id: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly note: string
  /** Where it is opened. */
  readonly to: string
}

/** Something that the search finds beside pages. */
interface Kind {
  readonly resource: string
  /** The call that finds it by a keyword, for whoever meets such rows, and no others. */
  readonly call: 'select' | 'list'
  /** Whether what was typed can be meant. */
  readonly fits: (text: string) => boolean
  /** @param mayOpen whether the person may open an address */
  readonly show: (row: WireRow, mayOpen: (address: string) => boolean) => Omit<FoundRow, 'id'>
}

const words = (value: unknown): string => String(value ?? '')

/** Where a sign-up is opened: on the desk of reviewers what has been handed in, among those of its exam everything. */
function signupAddress({ id, examId, signStatus }: WireRow, mayOpen: (address: string) => boolean): string {
  const isRead = signStatus === SignStatus.submitted || signStatus === SignStatus.disqualified
  const desk = `/examine/info/${words(id)}`
  return isRead && mayOpen(desk) ? desk : `/exam/${words(examId)}/signups?row=${words(id)}`
}

/** Numbers of people are typed, or pasted, at least as far as those beside them are told apart. */
const isNumber = (text: string): boolean => /\d{4}/.test(text)

/** Exams by name, short name or code; people by the number of their sign-up or ticket, by their whole phone or ID number. */
const kinds: readonly Kind[] = [
  {
    resource: 'examination',
    call: 'select',
    fits: text => text.length >= 2,
    show: row => ({
      name: words(row.label),
      note: [words(row.shortName), words(row.examCode)].filter(Boolean).join(' · '),
      to: `/exam/${words(row.id)}`,
    }),
  },
  {
    resource: 'signup',
    call: 'list',
    fits: isNumber,
    show: (row, mayOpen) => ({ name: words(row.name), note: words(row.signNo), to: signupAddress(row, mayOpen) }),
  },
  {
    resource: 'examinationticket',
    call: 'list',
    fits: isNumber,
    show: row => ({
      name: words(row.name),
      note: words(row.ticketNo),
      to: `/exam/${words(row.examId)}/tickets?${new URLSearchParams({ ticketNo: words(row.ticketNo) })}`,
    }),
  },
]

/** Milliseconds without a key after which the server is asked. */
const REST = 300
/** Most rows of a kind. */
const MOST = 6

/** What was typed, as soon as nobody goes on typing. */
function useRested(text: string): string {
  const [rested, rest] = useState(text)
  useEffect(() => {
    const timer = setTimeout(rest, REST, text)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

async function find({ resource, call }: Kind, keyword: string, signal: AbortSignal): Promise<readonly WireRow[]> {
  const target = catalogue.find(one => one.name === resource)
  if (!target) return []
  const sent = await callAny(target, call, { params: { keyword, current: 1, size: MOST }, signal, pass: 'all' })
  return isPage(sent) ? sent.records : sent
}

/**
 * Exams and people that a text is found in, among those that the person meets. The server is not asked for what is not listed to
 * them.
 * @param text what was typed, without spaces around it
 */
export function useFoundRows(text: string) {
  const permissions = usePermissions()
  const mayOpen = useMayOpen()
  const rested = useRested(text)
  const may = ({ resource, call }: Kind): boolean =>
    call === 'select' || permissions[catalogue.find(one => one.name === resource)?.code ?? ''] === true
  const asked = kinds.filter(kind => may(kind) && kind.fits(text))
  const answers = useQueries({
    queries: asked.map(kind => ({
      queryKey: ['search', kind.resource, text],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(kind, text, signal),
      enabled: rested === text,
      staleTime: REST * 10,
      retry: false,
    })),
  })
  const rows = asked.map((kind, i) => ({
    of: kind.resource,
    rows: (answers[i]?.data ?? []).map(row => ({
      id: `${kind.resource} ${words(row.id)}`,
      ...kind.show(row, mayOpen),
    })),
  }))
  const [exams, people] = [true, false].map(isExam =>
    rows.filter(({ of }) => (of === 'examination') === isExam).flatMap(one => one.rows),
  )
  return {
    exams: exams ?? [],
    people: people ?? [],
    isPending: answers.some(one => one.isPending),
    isFailed: answers.some(one => one.isError),
  }
}
