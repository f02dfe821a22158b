import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { appointStaff, dismissStaff, type Matrix, type StaffPerson, staffMatrix } from '../../contract.ts'
import type { Toggle } from './StaffMatrix.tsx'

/** Switching cells: which are under way, and how to switch one. */
export function useToggle({ exam, examRole }: Pick<Matrix, 'exam' | 'examRole'>) {
  const t = useT()
  const client = useQueryClient()
  const { modal, message } = App.useApp()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const mark = (key: string, on: boolean) =>
    setBusy(now => new Set(on ? [...now, key] : [...now].filter(one => one !== key)))
  const send = async (person: StaffPerson, unit: string | null, on: boolean) => {
    const key = `${person.userId} ${unit ?? ''}`
    mark(key, true)
    try {
      const which = unit === null ? { all: 1 as const } : { units: [unit] }
      const data = { examId: exam.id, examRole, userIds: [person.userId], ...which }
      const done = await call(on ? appointStaff : dismissStaff, data)
      if (done.changed === 0) message.info(t('已是这样，可能刚被他人改过'))
    } catch {
      // What was refused has been shown.
    } finally {
      await client.invalidateQueries({ queryKey: [staffMatrix.path] })
      mark(key, false)
    }
  }
  const toggle: Toggle = (person, unit, on) => {
    const question =
      unit !== null && !on && person.all
        ? t('{{name}}负责全部单位。取消一个后改为逐个单位授权，以后新增的单位不再包括。', { name: person.name })
        : unit === null && !on && t('确定取消{{name}}的全部单位?', { name: person.name })
    if (!question) return void send(person, unit, on)
    modal.confirm({ title: question, onOk: () => send(person, unit, on) })
  }
  return { busy, toggle }
}
