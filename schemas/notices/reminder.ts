/** What the text of a reminder may ask for: the reader's name, the title of the notice, the name of its exam. */
export const reminderValues: readonly string[] = ['name', 'title', 'examName']
