/** The dialogs of an operator's actions on a shipment: verb, question and what will happen. */
export const ACTION_TEXTS = {
  en: {
    actions: {
      approve: {
        verb: 'Approve',
        question: 'Approve this shipment?',
        consequence: 'The search for a driver begins.',
      },
      retryDispatch: {
        verb: 'Search again',
        question: 'Search for a driver again?',
        consequence: 'The service chooses a service level anew and offers the shipment to drivers.',
      },
      reassign: {
        verb: 'Reassign',
        question: 'Take this shipment from its driver?',
        consequence: 'A new search begins, and this driver is not asked first.',
      },
      takeOver: {
        verb: 'Hand over',
        question: 'Hand this parcel to another driver?',
        consequence: 'Do this when the other driver has the parcel. From then on only that driver can act on it.',
      },
      fail: {
        verb: 'End as failed',
        question: 'End this delivery as failed?',
        consequence: 'The company learns that the parcel does not arrive. This cannot be undone.',
      },
      cancel: {
        verb: 'Cancel',
        question: 'Cancel this shipment at the carrier’s cost?',
        consequence: 'The company pays nothing. This cannot be undone.',
      },
    },
    reason: 'Reason',
    choose: 'Choose',
    comment: 'Comment (optional)',
    commentHint: 'The company reads it in the timeline.',
    driver: 'New driver',
    noDriver: 'No other driver of this city is on duty with a free place.',
    done: 'Done.',
    now: (state: string, who: string, age: string) => `It is now “${state}”, by ${who}, ${age}.`,
  },
  ar: {
    actions: {
      approve: {
        verb: 'موافقة',
        question: 'هل توافق على هذه الشحنة؟',
        consequence: 'يبدأ البحث عن سائق.',
      },
      retryDispatch: {
        verb: 'البحث من جديد',
        question: 'هل تريد البحث عن سائق من جديد؟',
        consequence: 'تختار الخدمة مستوى الخدمة من جديد وتعرض الشحنة على السائقين.',
      },
      reassign: {
        verb: 'إعادة إسناد',
        question: 'هل تريد سحب هذه الشحنة من سائقها؟',
        consequence: 'يبدأ بحث جديد، ولا تُعرض الشحنة على هذا السائق أولًا.',
      },
      takeOver: {
        verb: 'تسليم إلى سائق آخر',
        question: 'هل تريد تسليم هذه الشحنة إلى سائق آخر؟',
        consequence: 'افعل ذلك حين تصبح الشحنة مع السائق الآخر. بعدها لا يتصرف فيها غيره.',
      },
      fail: {
        verb: 'تسجيل تعذّر التوصيل',
        question: 'هل تريد تسجيل تعذّر توصيل هذه الشحنة؟',
        consequence: 'تُبلَّغ الشركة بأن الشحنة لن تصل. لا يمكن التراجع عن ذلك.',
      },
      cancel: {
        verb: 'إلغاء الشحنة',
        question: 'هل تريد إلغاء هذه الشحنة على حساب الناقل؟',
        consequence: 'لا تدفع الشركة شيئًا. لا يمكن التراجع عن ذلك.',
      },
    },
    reason: 'السبب',
    choose: 'اختر',
    comment: 'ملاحظة (اختياري)',
    commentHint: 'تقرؤها الشركة في التسلسل الزمني.',
    driver: 'السائق الجديد',
    noDriver: 'لا يوجد سائق آخر من هذه المدينة في المناوبة ولديه سعة.',
    done: 'تم.',
    now: (state: string, who: string, age: string) => `حالتها الآن «${state}»، بواسطة ${who}، ${age}.`,
  },
};
