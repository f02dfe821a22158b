/** A notice as it is chosen to see who has read it. */
export interface Followed {
  id: string
  title: string
  noticeType: number
  needSure: number
  noticeStatus: number
}

/** Somebody a notice is for. */
export interface Reader {
  userId: string
  name: string
  /** 2 a candidate. */
  userType: number
  readTime: string
  sureTime: string
  /** 0 unread, 1 read, 2 confirmed. */
  sureState: number
}

/** The kinds of readers that are counted. */
export type ReaderKind = 'total' | 'read' | 'unread' | 'sure' | 'unsure'
