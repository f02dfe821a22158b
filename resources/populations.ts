/**
 * Rows that people are reminded of, as long as something is to be done about them, each with the facts that it has beside its fields;
 * the server has a query for each (`src/modules/notifications/server/populations.ts`).
 */
declare module '#engine' {
  interface Populations {
    /** Sign-ups that were begun and never submitted. */
    drafts: never
    /** Sign-ups that were returned for correction. */
    returned: never
    /** Sign-ups whose position is cancelled and that have chosen no other. */
    choosing: never
    /** Fees that are due. */
    unpaid: never
    /** Released tickets for which a notice has to be confirmed and is not. */
    unconfirmed: never
    /** Released tickets for which pictures have to be handed in and are not, or were refused. */
    lackingPictures: never
    /** Released tickets that were never downloaded. */
    notDownloaded: never
    /** Released tickets: `time` by which to be at `site`. */
    examinees: 'item' | 'time' | 'site'
    /** Released results that their candidates have not looked at. */
    unseen: 'item'
    /** Sign-ups on a published shortlist that has to be confirmed, and is not. */
    toConfirm: 'item'
    /** Appointments of first reviewers for whom sign-ups wait, some for more than a day. */
    reviewing: 'num' | 'hours'
    /** The same of second reviewers. */
    rechecking: 'num' | 'hours'
    /** Appointments of finance in exams whose refunds, receipts or orders have waited for too long. */
    lateMoney: 'num' | 'refunds' | 'invoices' | 'orders'
    /** Staff who look after the books, while days have differences. */
    differing: 'num'
    /** Appointments of managers in exams whose rechecks or objections are about to be late. */
    lateAnswers: 'num'
    /** Administrators, while rechecks or objections of any exam are late. */
    overdueAnswers: 'num'
    /** Staff who answer requests about personal data, while some are about to be late. */
    lateRequests: 'num'
    /** Stages whose seats are not locked. */
    seatsOpen: never
    /** Stages whose tickets are not released. */
    ticketsHeld: never
    /** Stages whose results are not released. */
    resultsHeld: never
    /** Exams with positions on which nobody has decided. */
    reductionOpen: never
    /** Exams without a list of what they have come to, scores or people, that is public when their public notice is to begin. */
    listMissing: never
  }
}

export {}
