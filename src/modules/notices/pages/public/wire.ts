import type { Page } from '../../../../screens/candidate/wire.ts'

/** A piece of news; `content` is formatted text. */
export interface News {
  id: string
  title: string
  category: string
  cover: string
  summary: string
  content?: string
  source: string
  author?: string
  releaseTime: string
  isTop: number
  viewNum: number | ''
}

/** A file anybody may download. */
export interface OpenFile {
  id: string
  fileName: string
  category: string
  attachId: string
  /** Bytes. */
  fileSize: number | ''
  ext: string
  downNum: number | ''
}

/** A page of them, with the categories there are in the words of the installation. */
export type Listed<T> = Page<T> & { categories: { key: string; label: string }[] }
