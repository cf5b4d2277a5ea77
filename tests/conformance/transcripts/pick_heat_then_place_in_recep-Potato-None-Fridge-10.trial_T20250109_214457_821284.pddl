(define (problem plan_trial_T20250109_214457_821284)
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
        Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94 - object
        Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10 - object
        Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77 - object
        Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78 - object
        Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98 - object
        Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05 - object
        ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05 - object
        ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29 - object
        Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80 - object
        DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59 - object
        DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91 - object
        DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20 - object
        Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80 - object
        Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87 - object
        Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79 - object
        Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95 - object
        HousePlant_bar__minus_02_dot_53_bar__plus_00_dot_92_bar__minus_00_dot_89 - object
        Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16 - object
        Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20 - object
        Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12 - object
        Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73 - object
        Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77 - object
        LightSwitch_bar__minus_02_dot_70_bar__plus_01_dot_00_bar__minus_03_dot_20 - object
        Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23 - object
        Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86 - object
        Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25 - object
        PepperShaker_bar__plus_02_dot_60_bar__plus_01_dot_23_bar__plus_02_dot_74 - object
        PepperShaker_bar__plus_02_dot_65_bar__plus_00_dot_40_bar__plus_00_dot_85 - object
        PepperShaker_bar__plus_02_dot_69_bar__plus_00_dot_83_bar__plus_00_dot_94 - object
        Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89 - object
        Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99 - object
        Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99 - object
        Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95 - object
        Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72 - object
        SaltShaker_bar__minus_02_dot_78_bar__plus_00_dot_64_bar__minus_00_dot_95 - object
        Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94 - object
        SoapBottle_bar__plus_02_dot_87_bar__plus_00_dot_61_bar__plus_00_dot_61 - object
        Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28 - object
        Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86 - object
        Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47 - object
        Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15 - object
        Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96 - object
        Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17 - object
        StoveKnob_bar__minus_02_dot_66_bar__plus_00_dot_44_bar__minus_02_dot_82 - object
        StoveKnob_bar__minus_02_dot_68_bar__plus_00_dot_86_bar__plus_01_dot_49 - object
        StoveKnob_bar__minus_03_dot_02_bar__plus_01_dot_80_bar__minus_00_dot_01 - object
        StoveKnob_bar__plus_02_dot_97_bar__plus_00_dot_93_bar__plus_02_dot_10 - object
        Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00 - object
        Window_bar__plus_02_dot_55_bar__plus_01_dot_71_bar__minus_02_dot_68 - object
        Window_bar__plus_02_dot_81_bar__plus_00_dot_39_bar__minus_01_dot_78 - object
        WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91 - object
        Cabinet_bar__minus_00_dot_95_bar__plus_01_dot_84_bar__minus_02_dot_82 - receptacle
        Cabinet_bar__minus_02_dot_49_bar__plus_01_dot_88_bar__plus_02_dot_77 - receptacle
        Cabinet_bar__minus_02_dot_78_bar__plus_01_dot_01_bar__plus_02_dot_91 - receptacle
        Cabinet_bar__minus_02_dot_81_bar__plus_00_dot_68_bar__minus_02_dot_74 - receptacle
        Cabinet_bar__minus_02_dot_82_bar__plus_01_dot_83_bar__minus_03_dot_20 - receptacle
        Cabinet_bar__plus_00_dot_06_bar__plus_01_dot_80_bar__plus_02_dot_81 - receptacle
        Cabinet_bar__plus_02_dot_17_bar__plus_01_dot_56_bar__plus_03_dot_16 - receptacle
        Cabinet_bar__plus_02_dot_29_bar__plus_00_dot_74_bar__plus_03_dot_14 - receptacle
        Cabinet_bar__plus_02_dot_77_bar__plus_01_dot_38_bar__minus_02_dot_54 - receptacle
        Cabinet_bar__plus_02_dot_80_bar__plus_01_dot_74_bar__minus_00_dot_56 - receptacle
        CoffeeMachine_bar__plus_02_dot_57_bar__plus_01_dot_05_bar__minus_02_dot_38 - receptacle
        CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84 - receptacle
        CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91 - receptacle
        DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95 - receptacle
        Drawer_bar__minus_02_dot_74_bar__plus_00_dot_81_bar__minus_02_dot_83 - receptacle
        Drawer_bar__minus_02_dot_78_bar__plus_00_dot_52_bar__minus_02_dot_74 - receptacle
        Drawer_bar__minus_02_dot_95_bar__plus_00_dot_80_bar__minus_00_dot_41 - receptacle
        Drawer_bar__plus_02_dot_73_bar__plus_00_dot_56_bar__plus_00_dot_23 - receptacle
        Drawer_bar__plus_02_dot_96_bar__plus_00_dot_63_bar__plus_00_dot_14 - receptacle
        Drawer_bar__plus_02_dot_98_bar__plus_00_dot_65_bar__minus_00_dot_02 - receptacle
        Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72 - receptacle
        GarbageCan_bar__plus_00_dot_03_bar__plus_00_dot_04_bar__plus_02_dot_71 - receptacle
        Microwave_bar__plus_03_dot_04_bar__plus_01_dot_64_bar__plus_01_dot_77 - receptacle
        Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin - receptacle
        StoveBurner_bar__minus_00_dot_43_bar__plus_00_dot_95_bar__plus_02_dot_86 - receptacle
        StoveBurner_bar__plus_01_dot_25_bar__plus_00_dot_98_bar__plus_03_dot_28 - receptacle
        StoveBurner_bar__plus_01_dot_48_bar__plus_00_dot_93_bar__plus_02_dot_73 - receptacle
        StoveBurner_bar__plus_02_dot_90_bar__plus_01_dot_05_bar__plus_02_dot_72 - receptacle
        Toaster_bar__minus_03_dot_04_bar__plus_00_dot_98_bar__minus_00_dot_54 - receptacle
        loc_bar_10_bar_9_bar_0_bar_45 - location
        loc_bar_1_bar_9_bar_0_bar_0 - location
        loc_bar_1_bar_9_bar_0_bar_60 - location
        loc_bar_3_bar_0_bar_0_bar_30 - location
        loc_bar_4_bar__minus_9_bar_2_bar_30 - location
        loc_bar_5_bar_9_bar_0_bar_45 - location
        loc_bar_8_bar_10_bar_1_bar_30 - location
        loc_bar_8_bar_1_bar_1_bar_45 - location
        loc_bar_8_bar_3_bar_1_bar_30 - location
        loc_bar_8_bar_7_bar_1_bar_0 - location
        loc_bar_8_bar_9_bar_0_bar_0 - location
        loc_bar_8_bar_9_bar_1_bar_45 - location
        loc_bar_8_bar__minus_10_bar_1_bar_15 - location
        loc_bar_8_bar__minus_11_bar_1_bar__minus_15 - location
        loc_bar_8_bar__minus_3_bar_1_bar_0 - location
        loc_bar_8_bar__minus_6_bar_1_bar_30 - location
        loc_bar_8_bar__minus_9_bar_1_bar_30 - location
        loc_bar_9_bar__minus_9_bar_2_bar_60 - location
        loc_bar__minus_10_bar_9_bar_0_bar_30 - location
        loc_bar__minus_10_bar__minus_9_bar_2_bar_15 - location
        loc_bar__minus_11_bar__minus_9_bar_2_bar_0 - location
        loc_bar__minus_1_bar_9_bar_0_bar_30 - location
        loc_bar__minus_4_bar__minus_9_bar_2_bar_30 - location
        loc_bar__minus_4_bar__minus_9_bar_2_bar__minus_15 - location
        loc_bar__minus_8_bar_5_bar_3_bar_30 - location
        loc_bar__minus_8_bar__minus_10_bar_3_bar_60 - location
        loc_bar__minus_8_bar__minus_11_bar_3_bar_45 - location
        loc_bar__minus_8_bar__minus_12_bar_3_bar_45 - location
        loc_bar__minus_8_bar__minus_1_bar_3_bar_60 - location
        loc_bar__minus_8_bar__minus_2_bar_3_bar_45 - location
        loc_bar__minus_8_bar__minus_3_bar_3_bar_30 - location
        loc_bar__minus_8_bar__minus_3_bar_3_bar_60 - location
        loc_bar__minus_9_bar_9_bar_0_bar__minus_15 - location
    )
    (:init
        (receptacleType Cabinet_bar__minus_00_dot_95_bar__plus_01_dot_84_bar__minus_02_dot_82 CabinetType)
        (receptacleType Cabinet_bar__plus_02_dot_29_bar__plus_00_dot_74_bar__plus_03_dot_14 CabinetType)
        (receptacleType Cabinet_bar__plus_02_dot_80_bar__plus_01_dot_74_bar__minus_00_dot_56 CabinetType)
        (receptacleType Cabinet_bar__plus_02_dot_77_bar__plus_01_dot_38_bar__minus_02_dot_54 CabinetType)
        (receptacleType Cabinet_bar__minus_02_dot_78_bar__plus_01_dot_01_bar__plus_02_dot_91 CabinetType)
        (receptacleType Cabinet_bar__minus_02_dot_49_bar__plus_01_dot_88_bar__plus_02_dot_77 CabinetType)
        (receptacleType Cabinet_bar__plus_00_dot_06_bar__plus_01_dot_80_bar__plus_02_dot_81 CabinetType)
        (receptacleType Cabinet_bar__plus_02_dot_17_bar__plus_01_dot_56_bar__plus_03_dot_16 CabinetType)
        (receptacleType Cabinet_bar__minus_02_dot_81_bar__plus_00_dot_68_bar__minus_02_dot_74 CabinetType)
        (receptacleType Cabinet_bar__minus_02_dot_82_bar__plus_01_dot_83_bar__minus_03_dot_20 CabinetType)
        (receptacleType CoffeeMachine_bar__plus_02_dot_57_bar__plus_01_dot_05_bar__minus_02_dot_38 CoffeeMachineType)
        (receptacleType CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84 CounterTopType)
        (receptacleType CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91 CounterTopType)
        (receptacleType DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95 DiningTableType)
        (receptacleType Drawer_bar__plus_02_dot_96_bar__plus_00_dot_63_bar__plus_00_dot_14 DrawerType)
        (receptacleType Drawer_bar__plus_02_dot_98_bar__plus_00_dot_65_bar__minus_00_dot_02 DrawerType)
        (receptacleType Drawer_bar__plus_02_dot_73_bar__plus_00_dot_56_bar__plus_00_dot_23 DrawerType)
        (receptacleType Drawer_bar__minus_02_dot_78_bar__plus_00_dot_52_bar__minus_02_dot_74 DrawerType)
        (receptacleType Drawer_bar__minus_02_dot_95_bar__plus_00_dot_80_bar__minus_00_dot_41 DrawerType)
        (receptacleType Drawer_bar__minus_02_dot_74_bar__plus_00_dot_81_bar__minus_02_dot_83 DrawerType)
        (receptacleType Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72 FridgeType)
        (receptacleType GarbageCan_bar__plus_00_dot_03_bar__plus_00_dot_04_bar__plus_02_dot_71 GarbageCanType)
        (receptacleType Microwave_bar__plus_03_dot_04_bar__plus_01_dot_64_bar__plus_01_dot_77 MicrowaveType)
        (receptacleType Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin SinkBasinType)
        (receptacleType StoveBurner_bar__plus_02_dot_90_bar__plus_01_dot_05_bar__plus_02_dot_72 StoveBurnerType)
        (receptacleType StoveBurner_bar__minus_00_dot_43_bar__plus_00_dot_95_bar__plus_02_dot_86 StoveBurnerType)
        (receptacleType StoveBurner_bar__plus_01_dot_48_bar__plus_00_dot_93_bar__plus_02_dot_73 StoveBurnerType)
        (receptacleType StoveBurner_bar__plus_01_dot_25_bar__plus_00_dot_98_bar__plus_03_dot_28 StoveBurnerType)
        (receptacleType Toaster_bar__minus_03_dot_04_bar__plus_00_dot_98_bar__minus_00_dot_54 ToasterType)
        (objectType Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94 AppleType)
        (objectType Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10 AppleType)
        (objectType Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77 BowlType)
        (objectType Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78 BreadType)
        (objectType Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98 BreadType)
        (objectType Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05 BreadType)
        (objectType ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05 ButterKnifeType)
        (objectType ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29 ButterKnifeType)
        (objectType Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80 CupType)
        (objectType DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59 DishSpongeType)
        (objectType DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91 DishSpongeType)
        (objectType DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20 DishSpongeType)
        (objectType Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80 EggType)
        (objectType Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87 EggType)
        (objectType Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79 EggType)
        (objectType Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95 ForkType)
        (objectType HousePlant_bar__minus_02_dot_53_bar__plus_00_dot_92_bar__minus_00_dot_89 HousePlantType)
        (objectType Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16 KnifeType)
        (objectType Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20 KnifeType)
        (objectType Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12 KnifeType)
        (objectType Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73 LettuceType)
        (objectType Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77 LettuceType)
        (objectType LightSwitch_bar__minus_02_dot_70_bar__plus_01_dot_00_bar__minus_03_dot_20 LightSwitchType)
        (objectType Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23 MugType)
        (objectType Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86 MugType)
        (objectType Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25 PanType)
        (objectType PepperShaker_bar__plus_02_dot_60_bar__plus_01_dot_23_bar__plus_02_dot_74 PepperShakerType)
        (objectType PepperShaker_bar__plus_02_dot_65_bar__plus_00_dot_40_bar__plus_00_dot_85 PepperShakerType)
        (objectType PepperShaker_bar__plus_02_dot_69_bar__plus_00_dot_83_bar__plus_00_dot_94 PepperShakerType)
        (objectType Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89 PlateType)
        (objectType Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99 PotType)
        (objectType Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99 PotatoType)
        (objectType Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95 PotatoType)
        (objectType Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72 PotatoType)
        (objectType SaltShaker_bar__minus_02_dot_78_bar__plus_00_dot_64_bar__minus_00_dot_95 SaltShakerType)
        (objectType Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94 SinkType)
        (objectType SoapBottle_bar__plus_02_dot_87_bar__plus_00_dot_61_bar__plus_00_dot_61 SoapBottleType)
        (objectType Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28 SpatulaType)
        (objectType Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86 SpatulaType)
        (objectType Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47 SpatulaType)
        (objectType Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15 SpoonType)
        (objectType Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96 SpoonType)
        (objectType Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17 SpoonType)
        (objectType StoveKnob_bar__minus_02_dot_66_bar__plus_00_dot_44_bar__minus_02_dot_82 StoveKnobType)
        (objectType StoveKnob_bar__minus_02_dot_68_bar__plus_00_dot_86_bar__plus_01_dot_49 StoveKnobType)
        (objectType StoveKnob_bar__minus_03_dot_02_bar__plus_01_dot_80_bar__minus_00_dot_01 StoveKnobType)
        (objectType StoveKnob_bar__plus_02_dot_97_bar__plus_00_dot_93_bar__plus_02_dot_10 StoveKnobType)
        (objectType Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00 TomatoType)
        (objectType Window_bar__plus_02_dot_55_bar__plus_01_dot_71_bar__minus_02_dot_68 WindowType)
        (objectType Window_bar__plus_02_dot_81_bar__plus_00_dot_39_bar__minus_01_dot_78 WindowType)
        (objectType WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91 WineBottleType)
        (canContain CounterTopType AppleType)
        (canContain DiningTableType AppleType)
        (canContain FridgeType AppleType)
        (canContain GarbageCanType AppleType)
        (canContain MicrowaveType AppleType)
        (canContain SinkBasinType AppleType)
        (canContain CabinetType BowlType)
        (canContain CounterTopType BowlType)
        (canContain DiningTableType BowlType)
        (canContain FridgeType BowlType)
        (canContain MicrowaveType BowlType)
        (canContain SinkBasinType BowlType)
        (canContain CounterTopType BreadType)
        (canContain DiningTableType BreadType)
        (canContain FridgeType BreadType)
        (canContain GarbageCanType BreadType)
        (canContain MicrowaveType BreadType)
        (canContain CounterTopType ButterKnifeType)
        (canContain DiningTableType ButterKnifeType)
        (canContain DrawerType ButterKnifeType)
        (canContain SinkBasinType ButterKnifeType)
        (canContain CabinetType CupType)
        (canContain CounterTopType CupType)
        (canContain DiningTableType CupType)
        (canContain FridgeType CupType)
        (canContain MicrowaveType CupType)
        (canContain SinkBasinType CupType)
        (canContain CabinetType DishSpongeType)
        (canContain CounterTopType DishSpongeType)
        (canContain DiningTableType DishSpongeType)
        (canContain DrawerType DishSpongeType)
        (canContain GarbageCanType DishSpongeType)
        (canContain SinkBasinType DishSpongeType)
        (canContain CounterTopType EggType)
        (canContain DiningTableType EggType)
        (canContain FridgeType EggType)
        (canContain GarbageCanType EggType)
        (canContain MicrowaveType EggType)
        (canContain SinkBasinType EggType)
        (canContain CounterTopType ForkType)
        (canContain DiningTableType ForkType)
        (canContain DrawerType ForkType)
        (canContain SinkBasinType ForkType)
        (canContain CounterTopType KnifeType)
        (canContain DiningTableType KnifeType)
        (canContain DrawerType KnifeType)
        (canContain SinkBasinType KnifeType)
        (canContain CounterTopType LettuceType)
        (canContain DiningTableType LettuceType)
        (canContain FridgeType LettuceType)
        (canContain GarbageCanType LettuceType)
        (canContain SinkBasinType LettuceType)
        (canContain CabinetType MugType)
        (canContain CoffeeMachineType MugType)
        (canContain CounterTopType MugType)
        (canContain DiningTableType MugType)
        (canContain FridgeType MugType)
        (canContain MicrowaveType MugType)
        (canContain SinkBasinType MugType)
        (canContain CabinetType PanType)
        (canContain CounterTopType PanType)
        (canContain DiningTableType PanType)
        (canContain FridgeType PanType)
        (canContain SinkBasinType PanType)
        (canContain StoveBurnerType PanType)
        (canContain CabinetType PepperShakerType)
        (canContain CounterTopType PepperShakerType)
        (canContain DiningTableType PepperShakerType)
        (canContain DrawerType PepperShakerType)
        (canContain CabinetType PlateType)
        (canContain CounterTopType PlateType)
        (canContain DiningTableType PlateType)
        (canContain FridgeType PlateType)
        (canContain MicrowaveType PlateType)
        (canContain SinkBasinType PlateType)
        (canContain CabinetType PotType)
        (canContain CounterTopType PotType)
        (canContain DiningTableType PotType)
        (canContain FridgeType PotType)
        (canContain SinkBasinType PotType)
        (canContain StoveBurnerType PotType)
        (canContain CounterTopType PotatoType)
        (canContain DiningTableType PotatoType)
        (canContain FridgeType PotatoType)
        (canContain GarbageCanType PotatoType)
        (canContain MicrowaveType PotatoType)
        (canContain SinkBasinType PotatoType)
        (canContain CabinetType SaltShakerType)
        (canContain CounterTopType SaltShakerType)
        (canContain DiningTableType SaltShakerType)
        (canContain DrawerType SaltShakerType)
        (canContain CabinetType SoapBottleType)
        (canContain CounterTopType SoapBottleType)
        (canContain DiningTableType SoapBottleType)
        (canContain DrawerType SoapBottleType)
        (canContain GarbageCanType SoapBottleType)
        (canContain CounterTopType SpatulaType)
        (canContain DiningTableType SpatulaType)
        (canContain DrawerType SpatulaType)
        (canContain SinkBasinType SpatulaType)
        (canContain CounterTopType SpoonType)
        (canContain DiningTableType SpoonType)
        (canContain DrawerType SpoonType)
        (canContain SinkBasinType SpoonType)
        (canContain CounterTopType TomatoType)
        (canContain DiningTableType TomatoType)
        (canContain FridgeType TomatoType)
        (canContain GarbageCanType TomatoType)
        (canContain MicrowaveType TomatoType)
        (canContain SinkBasinType TomatoType)
        (canContain CabinetType WineBottleType)
        (canContain CounterTopType WineBottleType)
        (canContain DiningTableType WineBottleType)
        (canContain FridgeType WineBottleType)
        (canContain GarbageCanType WineBottleType)
        (isReceptacleObject Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77)
        (isReceptacleObject Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80)
        (isReceptacleObject Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23)
        (isReceptacleObject Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86)
        (isReceptacleObject Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25)
        (isReceptacleObject Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89)
        (isReceptacleObject Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99)
        (pickupable Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94)
        (pickupable Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10)
        (pickupable Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77)
        (pickupable Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78)
        (pickupable Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98)
        (pickupable Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05)
        (pickupable ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05)
        (pickupable ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29)
        (pickupable Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80)
        (pickupable DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59)
        (pickupable DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91)
        (pickupable DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20)
        (pickupable Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80)
        (pickupable Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87)
        (pickupable Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79)
        (pickupable Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95)
        (pickupable Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16)
        (pickupable Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20)
        (pickupable Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12)
        (pickupable Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73)
        (pickupable Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77)
        (pickupable Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23)
        (pickupable Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86)
        (pickupable Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25)
        (pickupable PepperShaker_bar__plus_02_dot_60_bar__plus_01_dot_23_bar__plus_02_dot_74)
        (pickupable PepperShaker_bar__plus_02_dot_65_bar__plus_00_dot_40_bar__plus_00_dot_85)
        (pickupable PepperShaker_bar__plus_02_dot_69_bar__plus_00_dot_83_bar__plus_00_dot_94)
        (pickupable Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89)
        (pickupable Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99)
        (pickupable Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99)
        (pickupable Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95)
        (pickupable Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72)
        (pickupable SaltShaker_bar__minus_02_dot_78_bar__plus_00_dot_64_bar__minus_00_dot_95)
        (pickupable SoapBottle_bar__plus_02_dot_87_bar__plus_00_dot_61_bar__plus_00_dot_61)
        (pickupable Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28)
        (pickupable Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86)
        (pickupable Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47)
        (pickupable Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15)
        (pickupable Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96)
        (pickupable Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17)
        (pickupable Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00)
        (pickupable WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91)
        (cleanable Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94)
        (cleanable Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10)
        (cleanable Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77)
        (cleanable ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05)
        (cleanable ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29)
        (cleanable Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80)
        (cleanable DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59)
        (cleanable DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91)
        (cleanable DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20)
        (cleanable Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80)
        (cleanable Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87)
        (cleanable Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79)
        (cleanable Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95)
        (cleanable Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16)
        (cleanable Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20)
        (cleanable Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12)
        (cleanable Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73)
        (cleanable Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77)
        (cleanable Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23)
        (cleanable Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86)
        (cleanable Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25)
        (cleanable Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89)
        (cleanable Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99)
        (cleanable Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99)
        (cleanable Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95)
        (cleanable Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72)
        (cleanable Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28)
        (cleanable Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86)
        (cleanable Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47)
        (cleanable Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15)
        (cleanable Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96)
        (cleanable Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17)
        (cleanable Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00)
        (heatable Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94)
        (heatable Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10)
        (heatable Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78)
        (heatable Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98)
        (heatable Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05)
        (heatable Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80)
        (heatable Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80)
        (heatable Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87)
        (heatable Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79)
        (heatable Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23)
        (heatable Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86)
        (heatable Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89)
        (heatable Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99)
        (heatable Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95)
        (heatable Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72)
        (heatable Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00)
        (coolable Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94)
        (coolable Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10)
        (coolable Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77)
        (coolable Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78)
        (coolable Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98)
        (coolable Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05)
        (coolable Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80)
        (coolable Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80)
        (coolable Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87)
        (coolable Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79)
        (coolable Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73)
        (coolable Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77)
        (coolable Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23)
        (coolable Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86)
        (coolable Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25)
        (coolable Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89)
        (coolable Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99)
        (coolable Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99)
        (coolable Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95)
        (coolable Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72)
        (coolable Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00)
        (coolable WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91)
        (sliceable Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94)
        (sliceable Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10)
        (sliceable Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78)
        (sliceable Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98)
        (sliceable Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05)
        (sliceable Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80)
        (sliceable Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87)
        (sliceable Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79)
        (sliceable Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73)
        (sliceable Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77)
        (sliceable Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99)
        (sliceable Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95)
        (sliceable Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72)
        (sliceable Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00)
        (openable Cabinet_bar__minus_00_dot_95_bar__plus_01_dot_84_bar__minus_02_dot_82)
        (openable Cabinet_bar__plus_02_dot_80_bar__plus_01_dot_74_bar__minus_00_dot_56)
        (openable Cabinet_bar__plus_02_dot_77_bar__plus_01_dot_38_bar__minus_02_dot_54)
        (openable Cabinet_bar__minus_02_dot_78_bar__plus_01_dot_01_bar__plus_02_dot_91)
        (openable Cabinet_bar__minus_02_dot_49_bar__plus_01_dot_88_bar__plus_02_dot_77)
        (openable Cabinet_bar__plus_00_dot_06_bar__plus_01_dot_80_bar__plus_02_dot_81)
        (openable Cabinet_bar__minus_02_dot_81_bar__plus_00_dot_68_bar__minus_02_dot_74)
        (openable Drawer_bar__plus_02_dot_96_bar__plus_00_dot_63_bar__plus_00_dot_14)
        (openable Drawer_bar__plus_02_dot_73_bar__plus_00_dot_56_bar__plus_00_dot_23)
        (openable Drawer_bar__minus_02_dot_78_bar__plus_00_dot_52_bar__minus_02_dot_74)
        (openable Drawer_bar__minus_02_dot_95_bar__plus_00_dot_80_bar__minus_00_dot_41)
        (openable Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (openable Microwave_bar__plus_03_dot_04_bar__plus_01_dot_64_bar__plus_01_dot_77)
        (atLocation agent1 loc_bar_3_bar_0_bar_0_bar_30)
        (inReceptacle Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94 Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin)
        (inReceptacle Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10 Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (inReceptacle Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80 Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (inReceptacle DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91 Cabinet_bar__plus_00_dot_06_bar__plus_01_dot_80_bar__plus_02_dot_81)
        (inReceptacle Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23 Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin)
        (inReceptacle Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86 Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (inReceptacle Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25 CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84)
        (inReceptacle PepperShaker_bar__plus_02_dot_65_bar__plus_00_dot_40_bar__plus_00_dot_85 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle PepperShaker_bar__plus_02_dot_69_bar__plus_00_dot_83_bar__plus_00_dot_94 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle PepperShaker_bar__plus_02_dot_60_bar__plus_01_dot_23_bar__plus_02_dot_74 Cabinet_bar__plus_02_dot_29_bar__plus_00_dot_74_bar__plus_03_dot_14)
        (inReceptacle Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89 Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (inReceptacle Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle SaltShaker_bar__minus_02_dot_78_bar__plus_00_dot_64_bar__minus_00_dot_95 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle SoapBottle_bar__plus_02_dot_87_bar__plus_00_dot_61_bar__plus_00_dot_61 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (inReceptacle Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47 CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91)
        (inReceptacle Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28 Drawer_bar__minus_02_dot_95_bar__plus_00_dot_80_bar__minus_00_dot_41)
        (inReceptacle Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15 Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin)
        (inReceptacle Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96 Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin)
        (inReceptacle Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17 Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin)
        (inReceptacle Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00 Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72)
        (inReceptacle WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91 Cabinet_bar__plus_02_dot_17_bar__plus_01_dot_56_bar__plus_03_dot_16)
        (inReceptacle HousePlant_bar__minus_02_dot_53_bar__plus_00_dot_92_bar__minus_00_dot_89 DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95)
        (receptacleAtLocation Cabinet_bar__minus_00_dot_95_bar__plus_01_dot_84_bar__minus_02_dot_82 loc_bar__minus_4_bar__minus_9_bar_2_bar__minus_15)
        (receptacleAtLocation Cabinet_bar__plus_02_dot_29_bar__plus_00_dot_74_bar__plus_03_dot_14 loc_bar_10_bar_9_bar_0_bar_45)
        (receptacleAtLocation Cabinet_bar__plus_02_dot_80_bar__plus_01_dot_74_bar__minus_00_dot_56 loc_bar_8_bar__minus_3_bar_1_bar_0)
        (receptacleAtLocation Cabinet_bar__plus_02_dot_77_bar__plus_01_dot_38_bar__minus_02_dot_54 loc_bar_8_bar__minus_10_bar_1_bar_15)
        (receptacleAtLocation Cabinet_bar__minus_02_dot_78_bar__plus_01_dot_01_bar__plus_02_dot_91 loc_bar__minus_10_bar_9_bar_0_bar_30)
        (receptacleAtLocation Cabinet_bar__minus_02_dot_49_bar__plus_01_dot_88_bar__plus_02_dot_77 loc_bar__minus_9_bar_9_bar_0_bar__minus_15)
        (receptacleAtLocation Cabinet_bar__plus_00_dot_06_bar__plus_01_dot_80_bar__plus_02_dot_81 loc_bar_1_bar_9_bar_0_bar_0)
        (receptacleAtLocation Cabinet_bar__plus_02_dot_17_bar__plus_01_dot_56_bar__plus_03_dot_16 loc_bar_8_bar_9_bar_0_bar_0)
        (receptacleAtLocation Cabinet_bar__minus_02_dot_81_bar__plus_00_dot_68_bar__minus_02_dot_74 loc_bar__minus_8_bar__minus_12_bar_3_bar_45)
        (receptacleAtLocation Cabinet_bar__minus_02_dot_82_bar__plus_01_dot_83_bar__minus_03_dot_20 loc_bar__minus_8_bar__minus_12_bar_3_bar_45)
        (receptacleAtLocation CoffeeMachine_bar__plus_02_dot_57_bar__plus_01_dot_05_bar__minus_02_dot_38 loc_bar_8_bar__minus_9_bar_1_bar_30)
        (receptacleAtLocation CounterTop_bar__plus_00_dot_74_bar__plus_01_dot_09_bar__minus_02_dot_84 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (receptacleAtLocation CounterTop_bar__plus_02_dot_54_bar__plus_01_dot_01_bar__plus_00_dot_91 loc_bar_8_bar_3_bar_1_bar_30)
        (receptacleAtLocation DiningTable_bar__minus_02_dot_85_bar__plus_00_dot_44_bar__minus_00_dot_95 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (receptacleAtLocation Drawer_bar__plus_02_dot_96_bar__plus_00_dot_63_bar__plus_00_dot_14 loc_bar_8_bar_1_bar_1_bar_45)
        (receptacleAtLocation Drawer_bar__plus_02_dot_98_bar__plus_00_dot_65_bar__minus_00_dot_02 loc_bar_8_bar_1_bar_1_bar_45)
        (receptacleAtLocation Drawer_bar__plus_02_dot_73_bar__plus_00_dot_56_bar__plus_00_dot_23 loc_bar_8_bar_1_bar_1_bar_45)
        (receptacleAtLocation Drawer_bar__minus_02_dot_78_bar__plus_00_dot_52_bar__minus_02_dot_74 loc_bar__minus_8_bar__minus_10_bar_3_bar_60)
        (receptacleAtLocation Drawer_bar__minus_02_dot_95_bar__plus_00_dot_80_bar__minus_00_dot_41 loc_bar__minus_8_bar__minus_2_bar_3_bar_45)
        (receptacleAtLocation Drawer_bar__minus_02_dot_74_bar__plus_00_dot_81_bar__minus_02_dot_83 loc_bar__minus_8_bar__minus_11_bar_3_bar_45)
        (receptacleAtLocation Fridge_bar__plus_02_dot_01_bar__plus_00_dot_03_bar__minus_02_dot_72 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (receptacleAtLocation GarbageCan_bar__plus_00_dot_03_bar__plus_00_dot_04_bar__plus_02_dot_71 loc_bar_1_bar_9_bar_0_bar_60)
        (receptacleAtLocation Microwave_bar__plus_03_dot_04_bar__plus_01_dot_64_bar__plus_01_dot_77 loc_bar_8_bar_7_bar_1_bar_0)
        (receptacleAtLocation Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94_bar_SinkBasin loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (receptacleAtLocation StoveBurner_bar__plus_02_dot_90_bar__plus_01_dot_05_bar__plus_02_dot_72 loc_bar_8_bar_10_bar_1_bar_30)
        (receptacleAtLocation StoveBurner_bar__minus_00_dot_43_bar__plus_00_dot_95_bar__plus_02_dot_86 loc_bar__minus_1_bar_9_bar_0_bar_30)
        (receptacleAtLocation StoveBurner_bar__plus_01_dot_48_bar__plus_00_dot_93_bar__plus_02_dot_73 loc_bar_5_bar_9_bar_0_bar_45)
        (receptacleAtLocation StoveBurner_bar__plus_01_dot_25_bar__plus_00_dot_98_bar__plus_03_dot_28 loc_bar_5_bar_9_bar_0_bar_45)
        (receptacleAtLocation Toaster_bar__minus_03_dot_04_bar__plus_00_dot_98_bar__minus_00_dot_54 loc_bar__minus_8_bar__minus_3_bar_3_bar_30)
        (objectAtLocation Apple_bar__minus_01_dot_10_bar__plus_00_dot_67_bar__minus_02_dot_94 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Apple_bar__plus_02_dot_13_bar__plus_01_dot_01_bar__minus_03_dot_10 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (objectAtLocation Bowl_bar__plus_03_dot_05_bar__plus_00_dot_77_bar__plus_00_dot_77 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Bread_bar__plus_02_dot_93_bar__plus_00_dot_40_bar__plus_01_dot_05 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Bread_bar__minus_03_dot_01_bar__plus_01_dot_51_bar__minus_00_dot_78 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation Bread_bar__plus_02_dot_74_bar__plus_00_dot_73_bar__plus_00_dot_98 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation ButterKnife_bar__minus_02_dot_59_bar__plus_00_dot_89_bar__minus_01_dot_05 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation ButterKnife_bar__plus_01_dot_10_bar__plus_00_dot_31_bar__minus_03_dot_29 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Cup_bar__plus_02_dot_00_bar__plus_01_dot_05_bar__minus_02_dot_80 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (objectAtLocation DishSponge_bar__plus_00_dot_98_bar__plus_00_dot_72_bar__minus_03_dot_20 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation DishSponge_bar__minus_02_dot_86_bar__plus_01_dot_16_bar__minus_00_dot_59 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation DishSponge_bar__plus_00_dot_29_bar__plus_01_dot_07_bar__plus_02_dot_91 loc_bar_1_bar_9_bar_0_bar_0)
        (objectAtLocation Egg_bar__plus_00_dot_88_bar__plus_00_dot_94_bar__minus_02_dot_80 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Egg_bar__plus_02_dot_65_bar__plus_00_dot_88_bar__plus_00_dot_87 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Egg_bar__plus_02_dot_87_bar__plus_00_dot_87_bar__plus_00_dot_79 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Fork_bar__plus_00_dot_98_bar__plus_01_dot_04_bar__minus_02_dot_95 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Knife_bar__plus_01_dot_30_bar__plus_00_dot_83_bar__minus_03_dot_12 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Knife_bar__plus_00_dot_76_bar__plus_00_dot_35_bar__minus_03_dot_16 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Knife_bar__plus_01_dot_08_bar__plus_01_dot_34_bar__minus_03_dot_20 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Lettuce_bar__minus_02_dot_85_bar__plus_00_dot_22_bar__minus_00_dot_73 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation Lettuce_bar__minus_03_dot_04_bar__plus_01_dot_12_bar__minus_00_dot_77 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation Mug_bar__minus_01_dot_01_bar__plus_00_dot_87_bar__minus_03_dot_23 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Mug_bar__plus_02_dot_43_bar__plus_00_dot_96_bar__minus_02_dot_86 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (objectAtLocation Pan_bar__plus_01_dot_30_bar__plus_00_dot_46_bar__minus_03_dot_25 loc_bar_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation PepperShaker_bar__plus_02_dot_65_bar__plus_00_dot_40_bar__plus_00_dot_85 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation PepperShaker_bar__plus_02_dot_69_bar__plus_00_dot_83_bar__plus_00_dot_94 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation PepperShaker_bar__plus_02_dot_60_bar__plus_01_dot_23_bar__plus_02_dot_74 loc_bar_10_bar_9_bar_0_bar_45)
        (objectAtLocation Plate_bar__plus_02_dot_11_bar__plus_01_dot_59_bar__minus_02_dot_89 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (objectAtLocation Pot_bar__minus_03_dot_05_bar__plus_01_dot_22_bar__minus_00_dot_99 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation Potato_bar__plus_02_dot_68_bar__plus_01_dot_63_bar__plus_00_dot_95 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Potato_bar__plus_02_dot_89_bar__plus_00_dot_47_bar__plus_00_dot_72 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Potato_bar__minus_02_dot_54_bar__plus_01_dot_60_bar__minus_00_dot_99 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation SaltShaker_bar__minus_02_dot_78_bar__plus_00_dot_64_bar__minus_00_dot_95 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation SoapBottle_bar__plus_02_dot_87_bar__plus_00_dot_61_bar__plus_00_dot_61 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Spatula_bar__minus_02_dot_60_bar__plus_01_dot_14_bar__minus_00_dot_86 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation Spatula_bar__plus_02_dot_92_bar__plus_00_dot_93_bar__plus_00_dot_47 loc_bar_8_bar_3_bar_1_bar_30)
        (objectAtLocation Spatula_bar__minus_02_dot_57_bar__plus_00_dot_54_bar__minus_00_dot_28 loc_bar__minus_8_bar__minus_2_bar_3_bar_45)
        (objectAtLocation Spoon_bar__minus_00_dot_71_bar__plus_01_dot_17_bar__minus_03_dot_15 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Spoon_bar__minus_00_dot_92_bar__plus_00_dot_89_bar__minus_02_dot_96 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Spoon_bar__minus_01_dot_05_bar__plus_01_dot_13_bar__minus_03_dot_17 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation Tomato_bar__plus_02_dot_26_bar__plus_01_dot_14_bar__minus_03_dot_00 loc_bar_9_bar__minus_9_bar_2_bar_60)
        (objectAtLocation WineBottle_bar__plus_01_dot_88_bar__plus_01_dot_08_bar__plus_02_dot_91 loc_bar_8_bar_9_bar_0_bar_0)
        (objectAtLocation Sink_bar__minus_01_dot_05_bar__plus_00_dot_94_bar__minus_02_dot_94 loc_bar__minus_4_bar__minus_9_bar_2_bar_30)
        (objectAtLocation HousePlant_bar__minus_02_dot_53_bar__plus_00_dot_92_bar__minus_00_dot_89 loc_bar__minus_8_bar__minus_3_bar_3_bar_60)
        (objectAtLocation LightSwitch_bar__minus_02_dot_70_bar__plus_01_dot_00_bar__minus_03_dot_20 loc_bar__minus_10_bar__minus_9_bar_2_bar_15)
        (objectAtLocation StoveKnob_bar__plus_02_dot_97_bar__plus_00_dot_93_bar__plus_02_dot_10 loc_bar_8_bar_9_bar_1_bar_45)
        (objectAtLocation StoveKnob_bar__minus_02_dot_66_bar__plus_00_dot_44_bar__minus_02_dot_82 loc_bar__minus_11_bar__minus_9_bar_2_bar_0)
        (objectAtLocation StoveKnob_bar__minus_03_dot_02_bar__plus_01_dot_80_bar__minus_00_dot_01 loc_bar__minus_8_bar__minus_1_bar_3_bar_60)
        (objectAtLocation StoveKnob_bar__minus_02_dot_68_bar__plus_00_dot_86_bar__plus_01_dot_49 loc_bar__minus_8_bar_5_bar_3_bar_30)
        (objectAtLocation Window_bar__plus_02_dot_55_bar__plus_01_dot_71_bar__minus_02_dot_68 loc_bar_8_bar__minus_11_bar_1_bar__minus_15)
        (objectAtLocation Window_bar__plus_02_dot_81_bar__plus_00_dot_39_bar__minus_01_dot_78 loc_bar_8_bar__minus_6_bar_1_bar_30)
    )
    (:goal
        (and (exists (?r - receptacle) (exists (?o - object)
            (and (heatable ?o) (objectType ?o PotatoType) (receptacleType ?r FridgeType) (isHot ?o) (inReceptacle ?o ?r))))))
)
