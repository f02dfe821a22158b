/** A branch of the console's menu that holds entries or branches of other modules. */
export interface MenuPlace {
  /** Of a module, or of an entry of the first level that is here for that alone. */
  readonly code: string
  /** What a module does not say by itself. */
  readonly group?: {
    readonly title: string
    readonly path: string
    readonly icon: string
    /** The module before which it stands. */
    readonly before: string
  }
  /** Codes of what stands in it: modules, or single tables that few people look at. */
  readonly holds: readonly string[]
}

/**
 * Where something stands in the menu when that is not the branch of its module, so that nobody has more than twelve entries of the
 * first level. What people may do goes by modules, wherever they stand.
 */
export const menuPlaces: readonly MenuPlace[] = [
  { code: 'examine', holds: ['reduction'] },
  { code: 'result_menu', holds: ['publicity_menu'] },
  {
    code: 'message_group',
    group: { title: '消息', path: '/message', icon: 'message', before: 'notice_menu' },
    holds: ['notice_menu', 'send_menu'],
  },
  {
    code: 'library',
    group: { title: '资料库', path: '/library', icon: 'book', before: 'system' },
    holds: [
      'typecode',
      'usercode',
      'school',
      'items',
      'examsignitems',
      'examsignfiles',
      'workday',
      'signuplog',
      'postreduction',
      'payrecordmain',
      'reconciliationitem',
      'exportpaymain',
      'exportpay',
      'resultlog',
      'publicityrow',
      'noticefile',
      'noticeread',
      'notifyread',
      'sendmessage',
      'delivery',
      'files',
    ],
  },
  { code: 'system', holds: ['resource', 'job', 'develop', 'report_menu', 'log'] },
]
