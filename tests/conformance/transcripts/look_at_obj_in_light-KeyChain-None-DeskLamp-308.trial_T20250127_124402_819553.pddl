(define (problem plan_trial_T20250127_124402_819553)
    (:domain alfred)
    (:objects
        agent1 - agent
        AlarmClockType - otype
        AppleType - otype
        BaseballBatType - otype
        BasketBallType - otype
        BathtubType - otype
        BlindsType - otype
        BookType - otype
        BootsType - otype
        BowlType - otype
        BoxType - otype
        BreadType - otype
        ButterKnifeType - otype
        CDType - otype
        CandleType - otype
        CellPhoneType - otype
        ChairType - otype
        ClothType - otype
        CreditCardType - otype
        CupType - otype
        CurtainsType - otype
        DeskLampType - otype
        DishSpongeType - otype
        EggType - otype
        FloorLampType - otype
        ForkType - otype
        GlassbottleType - otype
        HandTowelType - otype
        HousePlantType - otype
        KettleType - otype
        KeyChainType - otype
        KnifeType - otype
        LadleType - otype
        LaptopType - otype
        LaundryHamperLidType - otype
        LettuceType - otype
        LightSwitchType - otype
        MirrorType - otype
        MugType - otype
        NewspaperType - otype
        PaintingType - otype
        PanType - otype
        PaperTowelRollType - otype
        PenType - otype
        PencilType - otype
        PepperShakerType - otype
        PillowType - otype
        PlateType - otype
        PlungerType - otype
        PosterType - otype
        PotType - otype
        PotatoType - otype
        RemoteControlType - otype
        SaltShakerType - otype
        ScrubBrushType - otype
        ShowerDoorType - otype
        ShowerGlassType - otype
        SinkType - otype
        SoapBarType - otype
        SoapBottleType - otype
        SpatulaType - otype
        SpoonType - otype
        SprayBottleType - otype
        StatueType - otype
        StoveKnobType - otype
        TeddyBearType - otype
        TelevisionType - otype
        TennisRacketType - otype
        TissueBoxType - otype
        ToiletPaperType - otype
        TomatoType - otype
        TowelType - otype
        VaseType - otype
        WatchType - otype
        WateringCanType - otype
        WindowType - otype
        WineBottleType - otype
        ArmChairType - rtype
        BathtubBasinType - rtype
        BedType - rtype
        CabinetType - rtype
        CartType - rtype
        CoffeeMachineType - rtype
        CoffeeTableType - rtype
        CounterTopType - rtype
        DeskType - rtype
        DiningTableType - rtype
        DrawerType - rtype
        DresserType - rtype
        FridgeType - rtype
        GarbageCanType - rtype
        HandTowelHolderType - rtype
        LaundryHamperType - rtype
        MicrowaveType - rtype
        OttomanType - rtype
        SafeType - rtype
        ShelfType - rtype
        SideTableType - rtype
        SinkBasinType - rtype
        SofaType - rtype
        StoveBurnerType - rtype
        TVStandType - rtype
        ToasterType - rtype
        ToiletType - rtype
        ToiletPaperHangerType - rtype
        TowelHolderType - rtype
        AlarmClock_bar__plus_01_dot_56_bar__plus_00_dot_99_bar__minus_02_dot_30 - object
        Blinds_bar__plus_02_dot_65_bar__plus_01_dot_23_bar__plus_01_dot_87 - object
        Book_bar__minus_02_dot_99_bar__plus_00_dot_15_bar__minus_00_dot_60 - object
        CD_bar__minus_03_dot_01_bar__plus_01_dot_47_bar__minus_00_dot_26 - object
        CD_bar__plus_02_dot_91_bar__plus_01_dot_48_bar__minus_02_dot_77 - object
        CD_bar__plus_02_dot_99_bar__plus_01_dot_38_bar__minus_02_dot_71 - object
        CellPhone_bar__plus_02_dot_71_bar__plus_00_dot_49_bar__plus_00_dot_11 - object
        Chair_bar__plus_02_dot_51_bar__plus_00_dot_36_bar__minus_00_dot_53 - object
        CreditCard_bar__plus_00_dot_01_bar__plus_01_dot_16_bar__plus_02_dot_33 - object
        DeskLamp_bar__plus_01_dot_71_bar__plus_01_dot_03_bar__minus_02_dot_44 - object
        KeyChain_bar__plus_02_dot_53_bar__plus_00_dot_71_bar__minus_02_dot_80 - object
        KeyChain_bar__plus_02_dot_85_bar__plus_00_dot_14_bar__minus_02_dot_63 - object
        Laptop_bar__minus_02_dot_75_bar__plus_00_dot_65_bar__minus_01_dot_29 - object
        Laptop_bar__minus_03_dot_03_bar__plus_00_dot_67_bar__minus_00_dot_80 - object
        LightSwitch_bar__plus_02_dot_44_bar__plus_01_dot_96_bar__plus_02_dot_28 - object
        Mirror_bar__plus_02_dot_79_bar__plus_01_dot_41_bar__minus_02_dot_18 - object
        Painting_bar__plus_00_dot_97_bar__plus_00_dot_67_bar__minus_02_dot_64 - object
        Pen_bar__minus_02_dot_87_bar__plus_01_dot_12_bar__plus_00_dot_05 - object
        Pen_bar__plus_01_dot_77_bar__plus_00_dot_51_bar__minus_02_dot_78 - object
        Pen_bar__plus_02_dot_98_bar__plus_00_dot_21_bar__plus_00_dot_28 - object
        Pencil_bar__plus_01_dot_69_bar__plus_00_dot_70_bar__minus_02_dot_46 - object
        Pencil_bar__plus_02_dot_63_bar__plus_01_dot_58_bar__plus_00_dot_18 - object
        Pencil_bar__plus_02_dot_89_bar__plus_01_dot_35_bar__minus_02_dot_77 - object
        Pillow_bar__minus_02_dot_90_bar__plus_00_dot_81_bar__minus_00_dot_99 - object
        Television_bar__plus_02_dot_79_bar__plus_01_dot_80_bar__minus_02_dot_47 - object
        Window_bar__minus_02_dot_70_bar__plus_01_dot_04_bar__minus_02_dot_65 - object
        Window_bar__minus_02_dot_99_bar__plus_00_dot_08_bar__plus_00_dot_01 - object
        Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76 - receptacle
        Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34 - receptacle
        Drawer_bar__minus_00_dot_53_bar__plus_00_dot_65_bar__plus_02_dot_41 - receptacle
        Drawer_bar__minus_01_dot_25_bar__plus_00_dot_55_bar__plus_02_dot_49 - receptacle
        Drawer_bar__minus_02_dot_86_bar__plus_00_dot_36_bar__minus_00_dot_25 - receptacle
        Drawer_bar__minus_02_dot_88_bar__plus_00_dot_47_bar__minus_00_dot_81 - receptacle
        Drawer_bar__plus_01_dot_94_bar__plus_00_dot_18_bar__plus_02_dot_59 - receptacle
        Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01 - receptacle
        Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48 - receptacle
        GarbageCan_bar__minus_02_dot_55_bar__plus_00_dot_03_bar__minus_00_dot_65 - receptacle
        Safe_bar__plus_02_dot_82_bar__plus_00_dot_93_bar__plus_00_dot_47 - receptacle
        Shelf_bar__plus_02_dot_53_bar__plus_00_dot_46_bar__plus_01_dot_49 - receptacle
        Shelf_bar__plus_03_dot_02_bar__plus_00_dot_85_bar__plus_00_dot_38 - receptacle
        loc_bar_10_bar_7_bar_0_bar_60 - location
        loc_bar_10_bar__minus_7_bar_2_bar_60 - location
        loc_bar_11_bar__minus_7_bar_2_bar_60 - location
        loc_bar_3_bar__minus_7_bar_2_bar_45 - location
        loc_bar_4_bar_0_bar_3_bar_30 - location
        loc_bar_7_bar__minus_7_bar_2_bar_60 - location
        loc_bar_8_bar_0_bar_1_bar_60 - location
        loc_bar_8_bar_1_bar_1_bar_45 - location
        loc_bar_8_bar_2_bar_1_bar_45 - location
        loc_bar_8_bar_6_bar_1_bar_60 - location
        loc_bar_8_bar_7_bar_0_bar_60 - location
        loc_bar_8_bar_7_bar_1_bar_0 - location
        loc_bar_8_bar__minus_2_bar_1_bar_60 - location
        loc_bar_8_bar__minus_8_bar_1_bar_60 - location
        loc_bar__minus_10_bar__minus_7_bar_2_bar_30 - location
        loc_bar__minus_1_bar_7_bar_0_bar_45 - location
        loc_bar__minus_6_bar_7_bar_0_bar_45 - location
        loc_bar__minus_8_bar_0_bar_3_bar_60 - location
        loc_bar__minus_8_bar__minus_1_bar_3_bar_45 - location
        loc_bar__minus_8_bar__minus_2_bar_3_bar_60 - location
        loc_bar__minus_8_bar__minus_3_bar_3_bar_60 - location
        loc_bar__minus_8_bar__minus_4_bar_3_bar_60 - location
    )
    (:init
        (receptacleType Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76 BedType)
        (receptacleType Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34 DeskType)
        (receptacleType Drawer_bar__plus_01_dot_94_bar__plus_00_dot_18_bar__plus_02_dot_59 DrawerType)
        (receptacleType Drawer_bar__minus_00_dot_53_bar__plus_00_dot_65_bar__plus_02_dot_41 DrawerType)
        (receptacleType Drawer_bar__minus_02_dot_86_bar__plus_00_dot_36_bar__minus_00_dot_25 DrawerType)
        (receptacleType Drawer_bar__minus_02_dot_88_bar__plus_00_dot_47_bar__minus_00_dot_81 DrawerType)
        (receptacleType Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01 DrawerType)
        (receptacleType Drawer_bar__minus_01_dot_25_bar__plus_00_dot_55_bar__plus_02_dot_49 DrawerType)
        (receptacleType Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48 DresserType)
        (receptacleType GarbageCan_bar__minus_02_dot_55_bar__plus_00_dot_03_bar__minus_00_dot_65 GarbageCanType)
        (receptacleType Safe_bar__plus_02_dot_82_bar__plus_00_dot_93_bar__plus_00_dot_47 SafeType)
        (receptacleType Shelf_bar__plus_03_dot_02_bar__plus_00_dot_85_bar__plus_00_dot_38 ShelfType)
        (receptacleType Shelf_bar__plus_02_dot_53_bar__plus_00_dot_46_bar__plus_01_dot_49 ShelfType)
        (objectType AlarmClock_bar__plus_01_dot_56_bar__plus_00_dot_99_bar__minus_02_dot_30 AlarmClockType)
        (objectType Blinds_bar__plus_02_dot_65_bar__plus_01_dot_23_bar__plus_01_dot_87 BlindsType)
        (objectType Book_bar__minus_02_dot_99_bar__plus_00_dot_15_bar__minus_00_dot_60 BookType)
        (objectType CD_bar__minus_03_dot_01_bar__plus_01_dot_47_bar__minus_00_dot_26 CDType)
        (objectType CD_bar__plus_02_dot_91_bar__plus_01_dot_48_bar__minus_02_dot_77 CDType)
        (objectType CD_bar__plus_02_dot_99_bar__plus_01_dot_38_bar__minus_02_dot_71 CDType)
        (objectType CellPhone_bar__plus_02_dot_71_bar__plus_00_dot_49_bar__plus_00_dot_11 CellPhoneType)
        (objectType Chair_bar__plus_02_dot_51_bar__plus_00_dot_36_bar__minus_00_dot_53 ChairType)
        (objectType CreditCard_bar__plus_00_dot_01_bar__plus_01_dot_16_bar__plus_02_dot_33 CreditCardType)
        (objectType DeskLamp_bar__plus_01_dot_71_bar__plus_01_dot_03_bar__minus_02_dot_44 DeskLampType)
        (objectType KeyChain_bar__plus_02_dot_53_bar__plus_00_dot_71_bar__minus_02_dot_80 KeyChainType)
        (objectType KeyChain_bar__plus_02_dot_85_bar__plus_00_dot_14_bar__minus_02_dot_63 KeyChainType)
        (objectType Laptop_bar__minus_02_dot_75_bar__plus_00_dot_65_bar__minus_01_dot_29 LaptopType)
        (objectType Laptop_bar__minus_03_dot_03_bar__plus_00_dot_67_bar__minus_00_dot_80 LaptopType)
        (objectType LightSwitch_bar__plus_02_dot_44_bar__plus_01_dot_96_bar__plus_02_dot_28 LightSwitchType)
        (objectType Mirror_bar__plus_02_dot_79_bar__plus_01_dot_41_bar__minus_02_dot_18 MirrorType)
        (objectType Painting_bar__plus_00_dot_97_bar__plus_00_dot_67_bar__minus_02_dot_64 PaintingType)
        (objectType Pen_bar__minus_02_dot_87_bar__plus_01_dot_12_bar__plus_00_dot_05 PenType)
        (objectType Pen_bar__plus_01_dot_77_bar__plus_00_dot_51_bar__minus_02_dot_78 PenType)
        (objectType Pen_bar__plus_02_dot_98_bar__plus_00_dot_21_bar__plus_00_dot_28 PenType)
        (objectType Pencil_bar__plus_01_dot_69_bar__plus_00_dot_70_bar__minus_02_dot_46 PencilType)
        (objectType Pencil_bar__plus_02_dot_63_bar__plus_01_dot_58_bar__plus_00_dot_18 PencilType)
        (objectType Pencil_bar__plus_02_dot_89_bar__plus_01_dot_35_bar__minus_02_dot_77 PencilType)
        (objectType Pillow_bar__minus_02_dot_90_bar__plus_00_dot_81_bar__minus_00_dot_99 PillowType)
        (objectType Television_bar__plus_02_dot_79_bar__plus_01_dot_80_bar__minus_02_dot_47 TelevisionType)
        (objectType Window_bar__minus_02_dot_70_bar__plus_01_dot_04_bar__minus_02_dot_65 WindowType)
        (objectType Window_bar__minus_02_dot_99_bar__plus_00_dot_08_bar__plus_00_dot_01 WindowType)
        (canContain DeskType AlarmClockType)
        (canContain DresserType AlarmClockType)
        (canContain ShelfType AlarmClockType)
        (canContain BedType BookType)
        (canContain DeskType BookType)
        (canContain DrawerType BookType)
        (canContain DresserType BookType)
        (canContain ShelfType BookType)
        (canContain DeskType CDType)
        (canContain DrawerType CDType)
        (canContain DresserType CDType)
        (canContain GarbageCanType CDType)
        (canContain SafeType CDType)
        (canContain ShelfType CDType)
        (canContain BedType CellPhoneType)
        (canContain DeskType CellPhoneType)
        (canContain DrawerType CellPhoneType)
        (canContain DresserType CellPhoneType)
        (canContain SafeType CellPhoneType)
        (canContain ShelfType CellPhoneType)
        (canContain DeskType CreditCardType)
        (canContain DrawerType CreditCardType)
        (canContain DresserType CreditCardType)
        (canContain SafeType CreditCardType)
        (canContain ShelfType CreditCardType)
        (canContain DeskType KeyChainType)
        (canContain DrawerType KeyChainType)
        (canContain DresserType KeyChainType)
        (canContain SafeType KeyChainType)
        (canContain ShelfType KeyChainType)
        (canContain BedType LaptopType)
        (canContain DeskType LaptopType)
        (canContain DresserType LaptopType)
        (canContain DeskType PenType)
        (canContain DrawerType PenType)
        (canContain DresserType PenType)
        (canContain GarbageCanType PenType)
        (canContain ShelfType PenType)
        (canContain DeskType PencilType)
        (canContain DrawerType PencilType)
        (canContain DresserType PencilType)
        (canContain GarbageCanType PencilType)
        (canContain ShelfType PencilType)
        (canContain BedType PillowType)
        (pickupable AlarmClock_bar__plus_01_dot_56_bar__plus_00_dot_99_bar__minus_02_dot_30)
        (pickupable Book_bar__minus_02_dot_99_bar__plus_00_dot_15_bar__minus_00_dot_60)
        (pickupable CD_bar__minus_03_dot_01_bar__plus_01_dot_47_bar__minus_00_dot_26)
        (pickupable CD_bar__plus_02_dot_91_bar__plus_01_dot_48_bar__minus_02_dot_77)
        (pickupable CD_bar__plus_02_dot_99_bar__plus_01_dot_38_bar__minus_02_dot_71)
        (pickupable CellPhone_bar__plus_02_dot_71_bar__plus_00_dot_49_bar__plus_00_dot_11)
        (pickupable CreditCard_bar__plus_00_dot_01_bar__plus_01_dot_16_bar__plus_02_dot_33)
        (pickupable KeyChain_bar__plus_02_dot_53_bar__plus_00_dot_71_bar__minus_02_dot_80)
        (pickupable KeyChain_bar__plus_02_dot_85_bar__plus_00_dot_14_bar__minus_02_dot_63)
        (pickupable Laptop_bar__minus_02_dot_75_bar__plus_00_dot_65_bar__minus_01_dot_29)
        (pickupable Laptop_bar__minus_03_dot_03_bar__plus_00_dot_67_bar__minus_00_dot_80)
        (pickupable Pen_bar__minus_02_dot_87_bar__plus_01_dot_12_bar__plus_00_dot_05)
        (pickupable Pen_bar__plus_01_dot_77_bar__plus_00_dot_51_bar__minus_02_dot_78)
        (pickupable Pen_bar__plus_02_dot_98_bar__plus_00_dot_21_bar__plus_00_dot_28)
        (pickupable Pencil_bar__plus_01_dot_69_bar__plus_00_dot_70_bar__minus_02_dot_46)
        (pickupable Pencil_bar__plus_02_dot_63_bar__plus_01_dot_58_bar__plus_00_dot_18)
        (pickupable Pencil_bar__plus_02_dot_89_bar__plus_01_dot_35_bar__minus_02_dot_77)
        (pickupable Pillow_bar__minus_02_dot_90_bar__plus_00_dot_81_bar__minus_00_dot_99)
        (toggleable DeskLamp_bar__plus_01_dot_71_bar__plus_01_dot_03_bar__minus_02_dot_44)
        (openable Drawer_bar__minus_02_dot_86_bar__plus_00_dot_36_bar__minus_00_dot_25)
        (openable Drawer_bar__minus_02_dot_88_bar__plus_00_dot_47_bar__minus_00_dot_81)
        (openable Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01)
        (openable Safe_bar__plus_02_dot_82_bar__plus_00_dot_93_bar__plus_00_dot_47)
        (atLocation agent1 loc_bar_4_bar_0_bar_3_bar_30)
        (inReceptacle AlarmClock_bar__plus_01_dot_56_bar__plus_00_dot_99_bar__minus_02_dot_30 Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48)
        (inReceptacle Book_bar__minus_02_dot_99_bar__plus_00_dot_15_bar__minus_00_dot_60 Drawer_bar__minus_02_dot_88_bar__plus_00_dot_47_bar__minus_00_dot_81)
        (inReceptacle CD_bar__plus_02_dot_91_bar__plus_01_dot_48_bar__minus_02_dot_77 Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34)
        (inReceptacle CD_bar__minus_03_dot_01_bar__plus_01_dot_47_bar__minus_00_dot_26 GarbageCan_bar__minus_02_dot_55_bar__plus_00_dot_03_bar__minus_00_dot_65)
        (inReceptacle CD_bar__plus_02_dot_99_bar__plus_01_dot_38_bar__minus_02_dot_71 Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34)
        (inReceptacle CellPhone_bar__plus_02_dot_71_bar__plus_00_dot_49_bar__plus_00_dot_11 Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01)
        (inReceptacle CreditCard_bar__plus_00_dot_01_bar__plus_01_dot_16_bar__plus_02_dot_33 Drawer_bar__minus_00_dot_53_bar__plus_00_dot_65_bar__plus_02_dot_41)
        (inReceptacle KeyChain_bar__plus_02_dot_53_bar__plus_00_dot_71_bar__minus_02_dot_80 Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34)
        (inReceptacle KeyChain_bar__plus_02_dot_85_bar__plus_00_dot_14_bar__minus_02_dot_63 Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34)
        (inReceptacle Laptop_bar__minus_03_dot_03_bar__plus_00_dot_67_bar__minus_00_dot_80 Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76)
        (inReceptacle Laptop_bar__minus_02_dot_75_bar__plus_00_dot_65_bar__minus_01_dot_29 Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76)
        (inReceptacle Pen_bar__plus_02_dot_98_bar__plus_00_dot_21_bar__plus_00_dot_28 Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01)
        (inReceptacle Pen_bar__plus_01_dot_77_bar__plus_00_dot_51_bar__minus_02_dot_78 Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48)
        (inReceptacle Pen_bar__minus_02_dot_87_bar__plus_01_dot_12_bar__plus_00_dot_05 Drawer_bar__minus_02_dot_86_bar__plus_00_dot_36_bar__minus_00_dot_25)
        (inReceptacle Pencil_bar__plus_02_dot_89_bar__plus_01_dot_35_bar__minus_02_dot_77 Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34)
        (inReceptacle Pencil_bar__plus_01_dot_69_bar__plus_00_dot_70_bar__minus_02_dot_46 Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48)
        (inReceptacle Pencil_bar__plus_02_dot_63_bar__plus_01_dot_58_bar__plus_00_dot_18 Shelf_bar__plus_03_dot_02_bar__plus_00_dot_85_bar__plus_00_dot_38)
        (inReceptacle Pillow_bar__minus_02_dot_90_bar__plus_00_dot_81_bar__minus_00_dot_99 Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76)
        (inReceptacle DeskLamp_bar__plus_01_dot_71_bar__plus_01_dot_03_bar__minus_02_dot_44 Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48)
        (receptacleAtLocation Bed_bar__minus_02_dot_84_bar__plus_00_dot_10_bar__minus_00_dot_76 loc_bar__minus_8_bar__minus_4_bar_3_bar_60)
        (receptacleAtLocation Desk_bar__plus_02_dot_60_bar__plus_00_dot_06_bar__minus_02_dot_34 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (receptacleAtLocation Drawer_bar__plus_01_dot_94_bar__plus_00_dot_18_bar__plus_02_dot_59 loc_bar_8_bar_7_bar_0_bar_60)
        (receptacleAtLocation Drawer_bar__minus_00_dot_53_bar__plus_00_dot_65_bar__plus_02_dot_41 loc_bar__minus_1_bar_7_bar_0_bar_45)
        (receptacleAtLocation Drawer_bar__minus_02_dot_86_bar__plus_00_dot_36_bar__minus_00_dot_25 loc_bar__minus_8_bar_0_bar_3_bar_60)
        (receptacleAtLocation Drawer_bar__minus_02_dot_88_bar__plus_00_dot_47_bar__minus_00_dot_81 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (receptacleAtLocation Drawer_bar__plus_02_dot_59_bar__plus_00_dot_51_bar__minus_00_dot_01 loc_bar_8_bar_0_bar_1_bar_60)
        (receptacleAtLocation Drawer_bar__minus_01_dot_25_bar__plus_00_dot_55_bar__plus_02_dot_49 loc_bar__minus_6_bar_7_bar_0_bar_45)
        (receptacleAtLocation Dresser_bar__plus_01_dot_68_bar__plus_00_dot_19_bar__minus_02_dot_48 loc_bar_7_bar__minus_7_bar_2_bar_60)
        (receptacleAtLocation GarbageCan_bar__minus_02_dot_55_bar__plus_00_dot_03_bar__minus_00_dot_65 loc_bar__minus_8_bar__minus_2_bar_3_bar_60)
        (receptacleAtLocation Safe_bar__plus_02_dot_82_bar__plus_00_dot_93_bar__plus_00_dot_47 loc_bar_8_bar_2_bar_1_bar_45)
        (receptacleAtLocation Shelf_bar__plus_03_dot_02_bar__plus_00_dot_85_bar__plus_00_dot_38 loc_bar_8_bar_1_bar_1_bar_45)
        (receptacleAtLocation Shelf_bar__plus_02_dot_53_bar__plus_00_dot_46_bar__plus_01_dot_49 loc_bar_8_bar_6_bar_1_bar_60)
        (objectAtLocation AlarmClock_bar__plus_01_dot_56_bar__plus_00_dot_99_bar__minus_02_dot_30 loc_bar_7_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Book_bar__minus_02_dot_99_bar__plus_00_dot_15_bar__minus_00_dot_60 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation CD_bar__plus_02_dot_91_bar__plus_01_dot_48_bar__minus_02_dot_77 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (objectAtLocation CD_bar__minus_03_dot_01_bar__plus_01_dot_47_bar__minus_00_dot_26 loc_bar__minus_8_bar__minus_2_bar_3_bar_60)
        (objectAtLocation CD_bar__plus_02_dot_99_bar__plus_01_dot_38_bar__minus_02_dot_71 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (objectAtLocation CellPhone_bar__plus_02_dot_71_bar__plus_00_dot_49_bar__plus_00_dot_11 loc_bar_8_bar_0_bar_1_bar_60)
        (objectAtLocation CreditCard_bar__plus_00_dot_01_bar__plus_01_dot_16_bar__plus_02_dot_33 loc_bar__minus_1_bar_7_bar_0_bar_45)
        (objectAtLocation KeyChain_bar__plus_02_dot_53_bar__plus_00_dot_71_bar__minus_02_dot_80 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (objectAtLocation KeyChain_bar__plus_02_dot_85_bar__plus_00_dot_14_bar__minus_02_dot_63 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Laptop_bar__minus_03_dot_03_bar__plus_00_dot_67_bar__minus_00_dot_80 loc_bar__minus_8_bar__minus_4_bar_3_bar_60)
        (objectAtLocation Laptop_bar__minus_02_dot_75_bar__plus_00_dot_65_bar__minus_01_dot_29 loc_bar__minus_8_bar__minus_4_bar_3_bar_60)
        (objectAtLocation Pen_bar__plus_02_dot_98_bar__plus_00_dot_21_bar__plus_00_dot_28 loc_bar_8_bar_0_bar_1_bar_60)
        (objectAtLocation Pen_bar__plus_01_dot_77_bar__plus_00_dot_51_bar__minus_02_dot_78 loc_bar_7_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Pen_bar__minus_02_dot_87_bar__plus_01_dot_12_bar__plus_00_dot_05 loc_bar__minus_8_bar_0_bar_3_bar_60)
        (objectAtLocation Pencil_bar__plus_02_dot_89_bar__plus_01_dot_35_bar__minus_02_dot_77 loc_bar_11_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Pencil_bar__plus_01_dot_69_bar__plus_00_dot_70_bar__minus_02_dot_46 loc_bar_7_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Pencil_bar__plus_02_dot_63_bar__plus_01_dot_58_bar__plus_00_dot_18 loc_bar_8_bar_1_bar_1_bar_45)
        (objectAtLocation Pillow_bar__minus_02_dot_90_bar__plus_00_dot_81_bar__minus_00_dot_99 loc_bar__minus_8_bar__minus_4_bar_3_bar_60)
        (objectAtLocation Blinds_bar__plus_02_dot_65_bar__plus_01_dot_23_bar__plus_01_dot_87 loc_bar_8_bar_7_bar_1_bar_0)
        (objectAtLocation Chair_bar__plus_02_dot_51_bar__plus_00_dot_36_bar__minus_00_dot_53 loc_bar_8_bar__minus_2_bar_1_bar_60)
        (objectAtLocation DeskLamp_bar__plus_01_dot_71_bar__plus_01_dot_03_bar__minus_02_dot_44 loc_bar_7_bar__minus_7_bar_2_bar_60)
        (objectAtLocation LightSwitch_bar__plus_02_dot_44_bar__plus_01_dot_96_bar__plus_02_dot_28 loc_bar_10_bar_7_bar_0_bar_60)
        (objectAtLocation Mirror_bar__plus_02_dot_79_bar__plus_01_dot_41_bar__minus_02_dot_18 loc_bar_8_bar__minus_8_bar_1_bar_60)
        (objectAtLocation Painting_bar__plus_00_dot_97_bar__plus_00_dot_67_bar__minus_02_dot_64 loc_bar_3_bar__minus_7_bar_2_bar_45)
        (objectAtLocation Television_bar__plus_02_dot_79_bar__plus_01_dot_80_bar__minus_02_dot_47 loc_bar_10_bar__minus_7_bar_2_bar_60)
        (objectAtLocation Window_bar__minus_02_dot_99_bar__plus_00_dot_08_bar__plus_00_dot_01 loc_bar__minus_8_bar__minus_1_bar_3_bar_45)
        (objectAtLocation Window_bar__minus_02_dot_70_bar__plus_01_dot_04_bar__minus_02_dot_65 loc_bar__minus_10_bar__minus_7_bar_2_bar_30)
    )
    (:goal
        (and
            (exists (?ot - object ?r - receptacle ?a - agent ?l - location)
                (and (objectType ?ot DeskLampType) (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l)
                    (atLocation ?a ?l) (inReceptacle ?ot ?r)))
            (exists (?o - object ?a - agent) (and (objectType ?o KeyChainType) (holds ?a ?o)))))
)
