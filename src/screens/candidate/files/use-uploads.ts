import { useRef, useState } from 'react'
import { type Owner, type Stored, sendFile } from '../../../platform/files/browser/send-file.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { FileProblem, fitted } from '../../fields/picture-file.ts'

/** A file on its way, or one that did not arrive. */
export interface Transit {
  id: number
  file: File
  percent: number
  error?: string
  /** The file itself is in the way: sent again it would be so again. */
  isUnfit?: boolean
}

interface Target {
  /** Kind of upload, which decides what the server takes. */
  owner: Owner
  examId?: string
  fileCode?: string
  maxKB: number
  onStored: (stored: Stored) => void
}

/** Sends files one by one with progress; what failed can be sent again. */
export function useUploads({ owner, examId, fileCode, maxKB, onStored }: Target) {
  const t = useT()
  const [list, setList] = useState<readonly Transit[]>([])
  const count = useRef(0)
  const put = (id: number, part: Partial<Transit>): void =>
    setList(before => before.map(one => (one.id === id ? { ...one, ...part } : one)))
  const drop = (id: number): void => setList(before => before.filter(one => one.id !== id))

  const send = async ({ id, file }: Transit): Promise<void> => {
    put(id, { percent: 0, error: undefined, isUnfit: false })
    try {
      const onProgress = (percent: number): void => put(id, { percent })
      const ready = await fitted(file, maxKB)
      onStored(await sendFile(ready, { owner, examId, fileCode }, { onProgress, pass: 'all' }))
      drop(id)
    } catch (error) {
      if (error instanceof FileProblem) put(id, { error: t(error.message, error.values), isUnfit: true })
      else put(id, { error: error instanceof ApiError ? error.message : t('网络不通，没有传完') })
    }
  }
  const add = (files: readonly File[]): void => {
    const fresh = files.map(file => ({ id: ++count.current, file, percent: 0 }))
    setList(before => [...before, ...fresh])
    for (const one of fresh) void send(one)
  }
  return { list, add, drop, retry: (one: Transit) => void send(one) }
}
